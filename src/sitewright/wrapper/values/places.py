"""Places and firms: what texts say where something is, or that a firm has them for its name."""

from __future__ import annotations

import re

_COUNTRIES = """
    afghanistan|afgʻoniston|aforika borwa|afrika borwa|albania|algeria|algérie|allemagne
    |american samoa|an rìoghachd aonaichte|an ríocht aontaithe|andorra|angola|anguilla
    |antia hulandes|antigua and barbuda|aotearoa|argentina|armenia|aruba|australia
    |austria|austrija|ausztria|autriche|avstrija|azerbaijan|azərbaycan|bahamas|bahrain
    |bangladesh|barbados|belarus|belgien|belgique|belgium|belgië|belice|belize|benin
    |bermuda|bhutan|bolivia|bosna i hercegovina|bosnia and herzegovina|botswana
    |bouvet island|bouvetøya|brasil|brazil|brazile|british virgin islands|brunei|bulgaria
    |bulgaristan|burkina faso|burundi|bénin|cabo verde|cambodia|cameroon|cameroun|canada
    |cape verde|caribbean netherlands|caribisch nederland|cayman islands
    |central african republic|chad|chile|china|christmas island|città del vaticano
    |civitas vaticana|colombia|comores|comoros|congo - brazzaville|congo - kinshasa
    |congo-brazzaville|congo-kinshasa|cook islands|costa rica|croasia|croatia|croazia
    |cuba|cunghgoz|curaçao|cyprus|czechia|côte d'ivoire|danmark|danmarki|denmark
    |deutschland|djibouti|dominica|dominican republic|dänemark|düütschland|ecuador|eesti
    |egypt|el salvador|ellan vannin|emzantsi afrika|england|equatorial guinea|eritrea
    |espainia|espanha|espanya|españa|estados unidos|estonia|eswatini|ethiopia
    |falkland islands|faroe islands|fiji|filipinas|finland|finnland|france|francia
    |french guiana|french polynesia|french southern territories|føroyar|gaana|gabon|gambia
    |georgia|germany|ghana|ghana nutome|gibraltar|gine|greece|greenland|grenada
    |grønland|guadeloupe|guam|guatemala|guernsey|guinea|guinea ecuatorial|guinea-bissau
    |guiné equatorial|guiné-bissau|guinée|guinée équatoriale|guinée-bissau|guyana
    |guyane française|haiti|haïti|heard and mcdonald islands|holland|honduras
    |hong kong sar china|hrvatska|hungary|iceland|ilesotho|india|indonesia|indonésia
    |iningizimu afrika|iran|iraq|ireland|irlande|isle of man|israel|italia|italie|italy
    |itoophiyaa|jabuuti|jamaica|japan|jersey|jordan|kabu verdi|kalaallit nunaat
    |kazakhstan|kenya|kiribati|kosovo|kosovë|kuwait|kyrgyzstan|kòrsou
    |ködörösêse tî bêafrîka|kıbrıs|la réunion|laos|latvia|latvija|lebanon|lenkija
    |lesotho|liban|liberia|libya|liechtenstein|lietuva|litauen|lithuania|liächteschtäi
    |luxembourg|luxemburg|luxemburgo|lääʹddjânnam|lëtzebuerg|macao sar china|madagascar
    |madagasikara|magyarország|malawi|malaysia|maldives|mali|malta|malte
    |maqedonia e veriut|maroc|marshall islands|martinique|maurice|mauritania|mauritanie
    |mauritius|mayotte|mexico|meṛṛuk|micronesia|moldova|monaco|mongolia|montenegro
    |montserrat|moris|morocco|mozambique|moçambique|méxico|naijíria|namibia|namibiab
    |namibië|nauru|naịjịrịa|nedderlannen|nederland|nederlân|nepal|netherlands
    |new caledonia|new zealand|nicaragua|niederlande|niger|nigeria|nijar|nijeriya|niue
    |nižer|noreg|norfolk island|norga|norge|north korea|north macedonia|northern ireland
    |northern mariana islands|norway|nouvelle-calédonie|nàìjíríà|oman|omosambikhi
    |owganystan|oʻzbekiston|pakistan|palau|palestinian territories|panama|panamá
    |papua new guinea|papua niugini|paraguai|paraguay|pays-bas|peru|perú|philippines
    |pilipinas|pitcairn islands|poland|polen|polska|polynésie française|portugal
    |puerto rico|qatar|republica moldova|república dominicana|romania|românia|roumanie
    |royaume-uni|rumanía|ruotsi|rusiya|russia|rwanda|république centrafricaine|réunion
    |saint-barthélemy|saint-martin|saint-pierre-et-miquelon|samoa|san marino
    |sao tomé-et-principe|sark|saudi arabia|schweiz|schwiiz|scotland|senegaal|senegal
    |serbi|serbia|seychelles|shqipëri|sierra leone|singapore|singapura|sint maarten
    |sint-maarten|slovakia|slovenia|slovenija|slovensko|slowakei|slowenien|solomon aelan
    |solomon islands|somalia|soomaaliya|south africa|south korea|south sudan|spain|srbija
    |srbsko|sri lanka|st. barthélemy|st. helena|st. kitts and nevis|st. lucia|st. martin
    |st. pierre and miquelon|st. vincent and grenadines|sudan|suid-afrika|suisse|suomi
    |suriname|svalbard and jan mayen|svalbard og jan mayen|sverige|svizra|svizzera|sweden
    |switzerland|syria|szerbia|szlovákia|são tomé and príncipe|são tomé e príncipe|sénégal
    |taiwan|tajikistan|tanzania|tchad|terres australes françaises|thailand|timor-leste
    |tjiisklun|togo|togo nutome|tokelau|tonga|trinidad and tobago|tschechien|tunisia
    |tunisie|turkmenistan|turks and caicos islands|tuvalu|türkiye|türkmenistan|u rwanda
    |u.s. outlying islands|u.s. virgin islands|uburundi|uganda|uk|ukraine|ungarn
    |united arab emirates|united kingdom|united states|united states of america|uruguay|usa
    |uzbekistan|vanuatu|vatican city|venezuela|vietnam|viro|việt nam|wales
    |wallis and futuna|wallis-et-futuna|western sahara|y deyrnas unedig|yabuuti|yemen
    |yuganda|zambia|zimbabwe|zlovenia|åland|åland islands|éire|ísland|österreich|česko
    |ʻamelika hui pū ʻia|ελλάδα|κύπροσ|арассыыйа|беларусь|болгария|босна и херцеговина
    |българия|гуырдзыстон|израиль|казахстан|киргизия|косово|кыргызстан|латвия|литва
    |молдова|монгол|польша|росси|россия|рузонь мастор|северна македонија|сербія|србија
    |таджикистан|тоҷикистон|туркменистан|узбекистан|украина|україна|хятад|црна гора
    |шпицберген и ян-майен|эстония|қазақстан|қырҭтәыла|հայաստան|ישראל|إريتريا|إسرائيل
    |افغانستان|الأراضي الفلسطينية|الأردن|الإمارات العربية المتحدة|البحرين|الجزائر|السودان
    |الصحراء الغربية|الصومال|العراق|الكويت|المغرب|المملكة العربية السعودية|اليمن|ایران
    |بھارت|تشاد|تونس|جزر القمر|جنوب السودان|جيبوتي|جۇڭگو|سوريا|عێراق|قطر|لبنان|ليبيا
    |مصر|موريتانيا|پاکستان|پاڪستان|ڀارت|ไทย|ລາວ|საქართველო|ኢትዮጵያ|ኤርትራ|ᑲᓇᑕᒥ|ᱤᱱᱰᱤᱭᱟ
    |ⵍⵎⵖⵔⵉⴱ|中国|中国澳门特别行政区|中国香港特别行政区|中國澳門特別行政區|中國香港特別行政區|台湾|文莱|新加坡|日本|马来西亚|대한민국|북한|중국
"""
"""Printed by `docs/make_countries.py`."""
_STATES = """
    alabama|alaska|arizona|arkansas|california|colorado|connecticut|delaware|district of columbia
    |florida|georgia|hawaii|idaho|illinois|indiana|iowa|kansas|kentucky|louisiana|maine|maryland
    |massachusetts|michigan|minnesota|mississippi|missouri|montana|nebraska|nevada|new hampshire
    |new jersey|new mexico|new york|north carolina|north dakota|ohio|oklahoma|oregon
    |pennsylvania|rhode island|south carolina|south dakota|tennessee|texas|utah|vermont|virginia
    |washington|west virginia|wisconsin|wyoming|alberta|british columbia|manitoba|new brunswick
    |nova scotia|ontario|quebec|saskatchewan|new south wales|queensland|tasmania|victoria
"""
_CODES = frozenset(
    "AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ "
    "NM NY NC ND OH OK OR PA PR RI SC SD TN TX UT VT VA WA WV WI WY AB BC MB NB NL NS ON PE QC SK "
    "NSW QLD SA TAS VIC ACT UK US USA UAE".split()
)
"""How states and a few countries are written behind the name of a town."""


def _names(block: str) -> frozenset[str]:
    return frozenset(" ".join(name.split()) for name in block.split("|"))


_KNOWN_COUNTRIES = _names(_COUNTRIES)
_KNOWN_REGIONS = _KNOWN_COUNTRIES | _names(_STATES)
_POSTCODE = re.compile(r"\s+(?:\d{4,6}(?:-\d{4})?|[A-Z]\d[A-Z]\s?\d[A-Z]\d)$")
_TOWN = re.compile(r"[^\W\d_][^,;:!?()\d]{0,40}")


_LONGEST = 80
"""Characters of the name of a place or firm."""


def is_country(text: str) -> bool:
    """Whether a text is the name of a country, in English or in a language of its own."""
    return _plain(text) in _KNOWN_COUNTRIES


def is_town(text: str) -> bool:
    """Whether a text is a town and where it is: "Springfield, IL 62704", "Graz, Austria"."""
    if len(text) > _LONGEST:
        return False
    town, *around = map(str.strip, text.split(","))
    if not 0 < len(around) <= _MOST_AROUND or not _TOWN.fullmatch(town):
        return False
    last = _POSTCODE.sub("", around[-1])
    return last in _CODES or _plain(last) in _KNOWN_REGIONS


_MOST_AROUND = 2


def _plain(text: str) -> str:
    return text.casefold().strip(" .").replace("&", "and").replace("\u2019", "'")


_FIRM = re.compile(
    r".*[\s,](?:inc|llc|llp|ltd|limited|corp|corporation|plc|gmbh|ag|kg|ohg|sarl|sas|srl|spa|bv|nv|"
    r"[slpb]\.(?:[a-z]{1,4}\.?){1,4}|n\.v|aps|a/s|oyj?|pty|sp\. z o\.o|kft|d\.o\.o|co)\.?",
    re.IGNORECASE,
)


def is_firm(text: str) -> bool:
    """Whether a text ends as the names of firms do: "Citadel Services, Inc."."""
    return len(text) <= _LONGEST and _FIRM.fullmatch(text) is not None
