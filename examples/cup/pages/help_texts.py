"""What the help articles say: the same on every site."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Article:
    """A question and its answer; steps, prices and a note are optional."""

    slug: str
    topic: str
    title: str
    answer: str
    steps: tuple[str, ...] = ()
    prices: tuple[tuple[str, str], ...] = ()
    note: str | None = None

    @property
    def path(self) -> str:
        """The path of the article."""
        return f"help/{self.slug}.html"


ARTICLES = (
    Article(
        "buy-tickets",
        "Tickets",
        "How do I buy tickets?",
        "Tickets are sold at the desk of the cup, in three windows.",
        ("Choose a match.", "Choose a block.", "Pay within fifteen minutes."),
        (("Front", "80"), ("Middle", "55"), ("Behind the goal", "20")),
    ),
    Article(
        "the-50%-rule",
        "Tickets",
        "What is the 50% rule?",
        "Half of all seats behind the goals go to the supporters of the two teams.",
        note="The rule does not hold for the final.",
    ),
    Article(
        "arrive-by-train",
        "Travel",
        "Can I come by train?",
        "A ticket is also a train ticket, from four hours before the match.",
        ("Show your ticket at the gate.", "Keep it for the way back."),
    ),
    Article(
        "bags",
        "At the ground",
        "Which bags may I bring?",
        "Anything that fits under the seat.",
        prices=(("Cloakroom, small", "2"), ("Cloakroom, large", "4")),
    ),
    Article(
        "find-a-player",
        "This site",
        "How do I find a player?",
        "By the letter of the family name, or by the squad of the team.",
        ("Open the list of players.", "Choose a letter.", "Choose a name."),
    ),
    Article(
        "resell-tickets",
        "Tickets",
        "Can I give a ticket back?",
        "Until two days before the match, and for the full price.",
        ("Open your order.", "Choose the seat.", "Confirm."),
        note="Tickets that were won cannot be given back.",
    ),
    Article(
        "lost-tickets",
        "Tickets",
        "I lost my ticket. What now?",
        "Come to the desk with a photo of yourself, an hour before the match.",
    ),
    Article(
        "children",
        "Tickets",
        "Do children need a ticket?",
        "Yes, but it costs little.",
        prices=(("Under 6", "1"), ("6 to 14", "10")),
    ),
    Article(
        "parking",
        "Travel",
        "Where can I park?",
        "There is no parking at the grounds; use the fields outside the town.",
        prices=(("Car", "10"), ("Coach", "35"), ("Bicycle", "0")),
        note="The fields are closed after heavy rain.",
    ),
    Article(
        "night-trams",
        "Travel",
        "How late do the trams run?",
        "Until two in the morning on match days.",
    ),
    Article(
        "bicycles",
        "Travel",
        "May I come by bicycle?",
        "Please do. Every ground has stands for a thousand of them.",
        ("Follow the blue signs.", "Lock it to a stand.", "Keep the tag."),
    ),
    Article(
        "hotels",
        "Travel",
        "Where can I stay?",
        "The tourist office of each town keeps a list.",
        note="Prices double in the week of the final.",
    ),
    Article(
        "food",
        "At the ground",
        "Is there something to eat?",
        "There are stalls on every side, and water is free.",
        prices=(("Soup", "4"), ("Roll", "3"), ("Tea", "2")),
    ),
    Article(
        "wheelchairs",
        "At the ground",
        "Where are the places for wheelchairs?",
        "In the first row of every block, with a seat beside each for a friend.",
        ("Call the desk.", "Say which match.", "We keep two places for you."),
    ),
    Article(
        "flags-and-drums",
        "At the ground",
        "May I bring a flag or a drum?",
        "Flags yes, if the pole is shorter than you. Drums only behind the goals.",
    ),
    Article(
        "lost-property",
        "At the ground",
        "I left something behind",
        "Things that are found are kept at the north gate for a week.",
        note="Umbrellas are given to the groundsmen.",
    ),
    Article(
        "read-the-tables",
        "This site",
        "How do I read the tables?",
        "Three points for a win, one for a draw; then goal difference, then goals.",
    ),
    Article(
        "report-an-error",
        "This site",
        "I found an error",
        "Tell us the address of the page and what it should say.",
        ("Copy the address.", "Write down what is wrong.", "Send both to the desk."),
    ),
    Article(
        "old-pages",
        "This site",
        "Why do some pages look older?",
        "They were made for an earlier cup, and nobody has moved them yet.",
    ),
    Article(
        "photos",
        "This site",
        "May I use the photos?",
        "For yourself, yes; for anything else, ask.",
        note="The credit under a photo must stay with it.",
    ),
)
