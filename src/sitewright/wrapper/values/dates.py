"""Dates as pages write them, in numbers or with the month's name in some thirty languages.

"2010-06-25 00:12:45", "28/05/2009", "8 July 2010", "July 8th, 2010", "8. Juli 2010",
"1er juillet 2010", "8 de julio de 2010", "8 lipca 2010", "2010年7月8日", "May 2010".
What is read is ISO 8601, as exact as the page is: a month without a day stays a month. Two-digit
years are not read: the century would be invented, and so would the zone of a time that names none.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import date

LONGEST = 64
"""A longer text is no date."""
DAY_FIRST = "dmy"
MONTH_FIRST = "mdy"
_YEARS = range(1000, 3000)
# Names of months, behind their numbers, and of weekdays, as `plain_word` writes them. They are made
# by docs/make_months.py, from Babel's CLDR data.
_MONTH_NAMES = """
    1 ene enero gen gener gennaio ian ianuarie jaan jaanuar jan janeiro janner januar januara
    januari january janv janvaris janvier led leden ledna oca ocak saus sausio sausis sij
    sijecanj sijecnja sty styczen stycznia tammi tammikuu tammikuuta xan xaneiro ιαν ιανουαριος
    ιανουαριου січ січень січня янв январь января яну януари јан јануар בינואר ינואר يناير
    2 feb febbraio febr febreiro febrer febrero februar februara februari februarie februaris
    february fev fevereiro fevr fevrier helmi helmikuu helmikuuta lut lutego luty sub subat uno
    unor unora vas vasario vasaris veebr veebruar velj veljaca veljace φεβ φεβρουαριος
    φεβρουαριου лют лютии лютого феб фебруар фев февр февраль февраля февруари בפברואר פברואר
    فبراير
    3 bre brezen brezna kov kovas kovo maalis maaliskuu maaliskuuta maart mac maerz mar marc
    marca march marcius marco marec maret mars mart martie marts marz marzec marzo mrt mrz ozu
    ozujak ozujka μαρ μαρτιος μαρτιου бер березень березня мар март марта במרץ מרץ مارس
    4 abr abril apr april aprila aprile aprilie aprilis aprill avr avril bal balandis balandzio
    dub duben dubna huhti huhtikuu huhtikuuta kwi kwiecien kwietnia nis nisan tra travanj
    travnja απρ απριλιος απριλιου апр апрель апреля април квіт квітень квітня אפריל באפריל ابريل
    5 geg geguze geguzes kve kveten kvetna mag maggio mai maig maijs maio maj maja majus may
    mayo mayıs mei svi svibanj svibnja touko toukokuu toukokuuta μαι μαιος μαιου маи мая мај
    трав травень травня במאי מאי مايو
    6 birz birzelio birzelis cerven cervna cvn cze czerwca czerwiec giu giugno haz haziran iun
    iunie juin jun juna june junho juni junij junijs junio junius juny juuni kesa kesakuu
    kesakuuta lipanj lipnja xuno ιουν ιουνιος ιουνιου июн июнь июня черв червень червня юни јун
    ביוני יוני يونيو
    7 cervence cervenec cvc heina heinakuu heinakuuta iul iulie juil juillet jul jula julai
    julho juli julij julijs julio juliol julius july juuli liep liepa liepos lipca lipiec lug
    luglio srpanj srpnja tem temmuz xul xullo ιουλ ιουλιος ιουλιου июл июль июля лип липень
    липня юли јул ביולי יולי يوليو
    8 ag ago agost agosto agu agustos agustus aout aug august augusta augusti augusts augustus
    augusztus avg avgust elo elokuu elokuuta kol kolovoz kolovoza ogo ogos rugp rugpjucio
    rugpjutis sie sierpien sierpnia srpen srpna αυγ αυγουστος αυγουστου авг август августа серп
    серпень серпня אוגוסט באוגוסט اغسطس
    9 eyl eylul rugs rugsejis rugsejo ruj rujan rujna sep sept septembar september septembra
    septembre septembrie septembris septiembre set setembre setembro setiembre settembre syys
    syyskuu syyskuuta szept szeptember wrz wrzesien wrzesnia zar zari σεπ σεπτεμβριος
    σεπτεμβριου вер вересень вересня сент сентябрь сентября сеп септембар септември בספטמבר
    ספטמבר سبتمبر
    10 eki ekim loka lokakuu lokakuuta oct october octobre octombrie octubre okt oktobar oktober
    oktobra oktobris oktoober ott ottobre out outubro paz pazdziernik pazdziernika rij rijen
    rijna spal spalio spalis οκτ οκτωβριος οκτωβριου жовт жовтень жовтня окт октобар октомври
    октябрь октября אוקטובר באוקטובר اكتوبر
    11 kas kasım lapkr lapkricio lapkritis listopadu marras marraskuu marraskuuta noiembrie nov
    novembar november novembra novembre novembris novembro noviembre stu studeni studenoga νοε
    νοεμβριος νοεμβριου лист листопад листопада нов новембар ное ноември нояб ноябрь ноября
    בנובמבר נובמבר نوفمبر
    12 ara aralık dec decembar december decembra decembre decembrie decembris decembro des
    desember desembre dets detsember dez dezember dezembro dic dicembre diciembre dis disember
    gru grudnia grudzien gruod gruodis gruodzio joulu joulukuu joulukuuta pro prosinac prosinca
    prosince prosinec δεκ δεκεμβριος δεκεμβριου груд грудень грудня дек декабрь декабря декември
    дец децембар בדצמבר דצמבר ديسمبر
"""
_WEEKDAYS = frozenset(
    """
    ahad ahd an antradienis car carsamba cet cetrtek ceturtd ceturtdiena cetvrtak cmt cs
    csutortok ct ctvrtek cum cuma cumartesi czw czwartek dc dg di dienstag dijous dilluns dim
    dimanche dimarts dimecres dinsdag dissabte diumenge divendres dj dl do dom domenica domingo
    donderdag donnerstag ds dt dum duminica dv esmaspaev fr fre fredag freitag fri friday gio
    giovedi hetfo isn isnin jeu jeudi joi jue jueves jum jumaat jumat kam kamis ke kedd
    keskiviikko keskiviikkona ketvirtadienis kha khamis kolmapaev kt la lauantai lauantaina
    laupaev lor lordag lun lundi lunedi lunes luni luns lør lørdag ma maanantai maanantaina
    maandag man mandag mar mardi martedi martes marti mer mercoledi mercores mercredi mi mie
    miercoles miercuri min minggu mittwoch mo mon monday montag ne ned nedela nedele nedelja
    nedjelja neljapaev niedz niedziela ons onsdag otrd otrdiena pa patek paz pazar pazartesi pe
    penktadienis pentek per perjantai perjantaina persembe pet petak petek pi piatek piatok
    piektd piektdiena pirmadienis pirmd pirmdiena pn po pon pondeli pondelok ponedeljak
    ponedeljek ponedjeljak poniedziałek pr pt puhapaev pzt qua quarta-feira qui quinta-feira rab
    rabu reede sa sab sabado sabato sabtu sal salı sam sambata samedi samstag sat saturday seg
    segunda-feira sekmadienis sel selasa sen senin sestadienis sestd sestdiena sex sexta-feira
    sk sob sobota son sondag sonnabend sonntag sr sre sreda sri srijeda sroda streda stvrtok su
    sub subota sun sunday sunnuntai svetd svetdiena sze szerda szo szombat søn søndag teisipaev
    ter terca-feira thu thur thurs thursday ti tiistai tiistaina tir tirs tirsdag tis tisdag to
    torek tors torsdag torstai torstaina tr treciadienis tresd tresdiena tue tues tuesday ut
    utery uto utorak utorok vasarnap ven vendredi venerdi venres vie viernes vin vineri vr
    vrijdag wed wednesday wo woensdag wt wtorek xov xoves za zaterdag zo zondag δευ δευτερα κυρ
    κυριακη παρ παρασκευη πεμ πεμπτη σαβ σαββατο τετ τεταρτη τρι τριτη воскресенье вс вт вторник
    вівторок нд нед неделя недеља неділя пʼятниця пет петак петък пн пон понеделник понедельник
    понедељак понеділок пт пятница сб середа ср сре среда сряда суб суббота субота събота уто
    уторак чет четвер четверг четвртак четвъртък чт בשבת שבת الاثنين الاحد الاربعاء الثلاثاء
    الجمعة الخميس السبت
    """.split()
)


def _months() -> dict[str, int]:
    found: dict[str, int] = {}
    number = 0
    for word in _MONTH_NAMES.split():
        if word.isdecimal():
            number = int(word)
        else:
            found[word] = number
    return found


MONTHS = _months()
"""The number of a month by its name, in small letters and without accents."""
# The last two are "year" in Russian and Ukrainian.
_FILLERS = frozenset("of the de del den der le il el d r m \u0433 \u0440".split())
# What people of many languages write between a day and its time.
_TIME_WORDS = r"(?:at|um|à|às|a las?|alle(?: ore)?|ore|om|ob|kl\.?|klo|godz\.?|o|u|у|о|в|@|-)"
_TIME = re.compile(
    rf"(?:T|,? ?(?P<noon>午前|上午|오전|午後|下午|오후) ?|,? (?:{_TIME_WORDS} ?)?)"
    r"(?P<hour>[0-9]{1,2})(?::| ?h ?| ?[時时點点시] ?)(?P<minute>[0-9]{2})"
    r"(?::(?P<second>[0-9]{2})(?:(?P<fraction>\.[0-9]{1,6})[0-9]{0,3})?)?"
    r"(?: ?(?P<half>[AaPp])\.?[Mm]\.?)?(?: Uhr| ?[分분])?"
    r"(?: ?(?P<zone>Z|UTC|GMT|[+-][0-9]{2}:?[0-9]{2}))?$"
)
TIME_BEHIND = (
    rf"(?:(?:,?\s+(?:{_TIME_WORDS}\s+)?|T)\d{{1,2}}(?::|\s?h\s?)\d{{2}}(?::\d{{2}})?"
    r"(?:\s?[AaPp]\.?[Mm]\b\.?)?(?!\w))?"
)
"""The time that may follow a day inside of a text."""
_AFTERNOONS = frozenset({"午後", "下午", "오후"})
_LAST_WEEKDAY = re.compile(
    r" ?(?:[(（](?:[日月火水木金土](?:曜日?)?|[월화수목금토일](?:요일)?)[)）]"
    r"|[日月火水木金土]曜日|[월화수목금토일]요일|(?:星期|週|周)[一二三四五六日天]"
    r"|\((?P<word>[^\W\d]+)\.?\))$"
)
"""The day of the week behind a date."""
_TRIPLE = re.compile(r"([0-9]{1,4}) ?([/.-]) ?([0-9]{1,2}) ?\2 ?([0-9]{1,4})")
_EAST_ASIAN = re.compile(r"([0-9]{4}) ?[年년] ?([0-9]{1,2}) ?[月월](?: ?([0-9]{1,2}) ?[日号號일])?")
_MONTH_OF_YEAR = re.compile(r"([0-9]{1,2})/([0-9]{4})")
_BARE = re.compile(r"([0-9]{4})(?:-([0-9]{2}))?")
_SEPARATORS = re.compile(r"[\s,./'\u2019-]+")
_DAY = re.compile(r"([0-9]{1,2})(?:st|nd|rd|th|er|º|ª)?")
_YEAR = re.compile(r"[0-9]{4}")


@dataclass(frozen=True, slots=True)
class ReadDate:
    """A date in ISO 8601."""

    iso: str
    is_doubtful: bool = False
    """A bare year could be any number, and 2010-11 a season: only beside dates are they dates."""


def read_date(text: str, order: str) -> ReadDate | None:
    """Read a whole text as a date.

    The order says where the day stands in dates such as 06/05/2010; without one, only dates that
    begin with the year or name the month are read.
    """
    if len(text) > LONGEST:
        return None
    text = _ON.sub("", text)
    time = _TIME.search(text)
    day = _day(text[: time.start()].rstrip(_BEFORE_TIME) if time else text, order)
    if day is None or time is None:
        return day
    clock = _clock(time)
    if clock is None or day.is_doubtful or len(day.iso) < len("2010-06-25"):
        return None
    return ReadDate(f"{day.iso}T{clock}")


_ON = re.compile(r"^(?:on|am|le|el|em|il|den)\s+", re.IGNORECASE)
"""What stands before a day in a sentence: "on Thu, 05/04/2017 - 04:49"."""
_BEFORE_TIME = " ,|-\u00b7\u2013\u2014"


def is_dotted(text: str) -> bool:
    """Whether a date in numbers has points between them, which stand behind the day first."""
    triple = _TRIPLE.match(text)
    return triple is not None and triple[2] == "."


def _day(text: str, order: str) -> ReadDate | None:
    """A date without its time, and without its day of the week."""
    found = _bare_day(text, order)
    behind = None if found else _LAST_WEEKDAY.search(text)
    if behind and (not behind["word"] or plain_word(behind["word"]) in _WEEKDAYS):
        return _bare_day(text[: behind.start()], order)
    weekday, _, rest = text.partition(" ")
    if found or plain_word(weekday.rstrip(".,")) not in _WEEKDAYS:
        return found
    found = _bare_day(rest, order)
    return found if found and not found.is_doubtful else None


def _bare_day(text: str, order: str) -> ReadDate | None:
    if triple := _TRIPLE.fullmatch(text):
        return _in_numbers(triple[1], triple[3], triple[4], order)
    if month := _MONTH_OF_YEAR.fullmatch(text):
        return _iso(int(month[2]), int(month[1]))
    if east := _EAST_ASIAN.fullmatch(text):
        return _iso(int(east[1]), int(east[2]), int(east[3]) if east[3] else None)
    if bare := _BARE.fullmatch(text):
        found = _iso(int(bare[1]), int(bare[2] or 1))
        return found and ReadDate(text, is_doubtful=True)
    return _in_words(text)


def _in_numbers(first: str, second: str, third: str, order: str) -> ReadDate | None:
    if len(first) == 4 and len(third) <= 2:
        return _iso(int(first), int(second), int(third))
    if len(first) > 2 or len(third) != 4:
        return None
    if order == DAY_FIRST:
        return _iso(int(third), int(second), int(first))
    return _iso(int(third), int(first), int(second)) if order == MONTH_FIRST else None


def _in_words(text: str) -> ReadDate | None:
    words = [plain_word(word) for word in _SEPARATORS.split(text)]
    words = [word for word in words if word and word not in _FILLERS]
    match words:
        case [year, month, day] if month in MONTHS and _YEAR.fullmatch(year):
            return _named(year, month, day)
        case [day, month, year] if month in MONTHS:
            return _named(year, month, day)
        case [month, day, year] if month in MONTHS:
            return _named(year, month, day)
        case [month, year] if month in MONTHS:
            return _named(year, month, None)
        case [year, month] if month in MONTHS:
            return _named(year, month, None)
    return None


def _named(year: str, month: str, day: str | None) -> ReadDate | None:
    if not _YEAR.fullmatch(year):
        return None
    if day is None:
        return _iso(int(year), MONTHS[month])
    number = _DAY.fullmatch(day)
    return _iso(int(year), MONTHS[month], int(number[1])) if number else None


def _iso(year: int, month: int, day: int | None = None) -> ReadDate | None:
    """The date, if the calendar has it."""
    if year not in _YEARS:
        return None
    try:
        iso = date(year, month, day or 1).isoformat()
    except ValueError:
        return None
    return ReadDate(iso if day is not None else iso[:7])


def _clock(time: re.Match[str]) -> str | None:
    """The time of day, with seconds and zone where the page has them."""
    hour, minute, second = int(time["hour"]), int(time["minute"]), int(time["second"] or 0)
    if time["half"] or time["noon"]:
        if not 1 <= hour <= 12:
            return None
        is_later = time["noon"] in _AFTERNOONS if time["noon"] else time["half"] in "Pp"
        hour = hour % 12 + (12 if is_later else 0)
    zone = _zone(time["zone"] or "")
    if hour > 23 or minute > 59 or second > 59 or zone is None:
        return None
    seconds = f":{second:02}{time['fraction'] or ''}" if time["second"] else ""
    return f"{hour:02}:{minute:02}{seconds}{zone}"


def _zone(written: str) -> str | None:
    if written in {"Z", "UTC", "GMT"}:
        return "Z"
    if not written:
        return ""
    hours, minutes = written[1:3], written[-2:]
    if int(hours) >= 15 or int(minutes) >= 60:
        return None
    # The "-0000" of mail is a time in UTC whose writer's zone nobody knows; ISO 8601 has no -00:00.
    sign = "+" if hours == minutes == "00" else written[0]
    return f"{sign}{hours}:{minutes}"


def plain_word(word: str) -> str:
    """In small letters and without accents: "März" is "marz"."""
    decomposed = unicodedata.normalize("NFD", word.lower())
    return "".join(c for c in decomposed if not unicodedata.combining(c))
