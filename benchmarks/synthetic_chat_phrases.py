"""Sentences for `benchmarks.synthetic_chats`."""

#: Names that say nothing by themselves.
PLACES = (
    "Arden Varga Belmora Corrin Dunsley Elvas Farrow Gatwyn Harlo Isker Jorvale Kestrin Lomond "
    "Marlo Nysted Orlando Pellworm Quenby Rostrevor Sundal Tarnow Ullin Velden Wexcombe Yarrow "
    "Zennor Ashby Brecon Calder Drumlin Eskdale Fenwick"
).split()

#: What is asked for: a topic, and what the answer is full of.
TOPICS = (
    ("plan a weekly budget", ("budget", "rent", "savings", "bank", "income", "bill")),
    ("prepare a talk for my team", ("slides", "team", "opening", "meeting", "story", "manager")),
    ("train for a long run", ("trail", "shoes", "pace", "rest day", "coach", "race")),
    ("cook for a large family", ("recipe", "sister", "kitchen", "oven", "dinner", "guests")),
    ("choose a dog for a small flat", ("dog", "walk", "breed", "vet", "puppy", "neighbour")),
    ("learn a language in a year", ("teacher", "words", "lesson", "city", "accent", "book")),
    ("move to another city", ("city", "flat", "landlord", "boxes", "train", "friends")),
    ("write a short report", ("report", "draft", "chapter", "deadline", "editor", "summary")),
    ("plant a garden by the house", ("garden", "soil", "trees", "spring", "water", "shed")),
    ("get a good night’s sleep", ("bed", "doctor", "coffee", "habit", "evening", "alarm")),
    ("buy a used car", ("car", "garage", "price", "engine", "insurance", "dealer")),
    ("visit a few museums on a trip", ("museum", "ticket", "hotel", "brother", "map", "visit")),
)
OPENINGS = (
    "Can you help me",
    "What is the best way to",
    "I need some advice: how do I",
    "Could you give me ten steps to",
    "How would you",
)
ADVICE = (
    "Start with the {noun}: write down what you have, what you need, and by when.",
    "Ask a friend who knows about the {noun}; a second opinion saves both time and money.",
    "Compare at least three options for the {noun} before you settle on the {other}.",
    "It helps to put the {noun} first and to leave the {other} for a quieter day.",
    "Remember that the {noun} changes over time, so look at it again every month.",
    "If your sister, brother or a friend has done this, ask what they would do differently.",
    "Many people moved the {noun} to the end of their list and were sorry for it later.",
    "Keep the {noun} and the {other} apart: mixing them is the most common mistake.",
    "A good {noun} is worth more than a perfect {other}, especially at the beginning.",
    "Set a reminder for the {noun}, and tell somebody about it, so that it really happens.",
    "You may find that the {other} takes care of itself once the {noun} is settled.",
    "Do not worry if the {noun} is not right at once; adjust it as you learn more.",
    "Write down which {noun} you like now and which one you used before, and why.",
    "On the first day, hand in or send off whatever concerns the {noun}; then rest.",
    "The name of the {noun} matters less than how well it goes with the {other}.",
)

#: Who it is about, their name, what is said, and what is asked.
RELATIVES = (
    (
        "sister",
        "Ilse",
        "By the way, my {relative} {name} moved to {place} last month.",
        "Where did my {relative} move to?",
    ),
    (
        "brother",
        "Oskar",
        "My {relative} {name} started to work for a bakery called {place}, imagine.",
        "Which bakery does {name} work for?",
    ),
    (
        "aunt",
        "Renate",
        "I am a little tired, my {relative} {name} was in the hospital of {place} all week.",
        "Which hospital was my {relative} in?",
    ),
    (
        "friend",
        "Malik",
        "Also, {name}, my oldest {relative}, opened a bicycle shop in {place}.",
        "In which town did {name} open the shop?",
    ),
    (
        "neighbour",
        "Petra",
        "My {relative} {name} gave me the key to her cabin in {place} for the summer.",
        "Whose cabin do I have the key to, and where is it?",
    ),
    (
        "daughter",
        "Noemi",
        "My {relative} {name} plays the cello in the youth orchestra of {place} now.",
        "Which orchestra does my {relative} play in?",
    ),
)

#: What is said, what is asked in other words, and the answer.
THINGS = (
    (
        "We adopted a greyhound on Sunday, and she answers to Pepper.",
        "What is my pet called?",
        "Pepper",
    ),
    (
        "I can’t have anything with peanuts in it, my throat swells.",
        "What food am I allergic to?",
        "Peanuts",
    ),
    (
        "I teach chemistry to sixteen-year-olds, so mornings are out.",
        "What do I do for a living?",
        "A chemistry teacher",
    ),
    (
        "I get around on an old red Vespa, by the way.",
        "What kind of vehicle do I ride?",
        "A red Vespa",
    ),
    ("I gave up meat two years ago.", "Am I a vegetarian?", "Yes, for two years"),
    (
        "My wife and I said yes to each other in a lighthouse.",
        "Where did I get married?",
        "In a lighthouse",
    ),
    ("Heights make my knees go weak, I never go up a tower.", "What am I afraid of?", "Heights"),
    ("I was born in a village of forty people in Iceland.", "Where am I from?", "Iceland"),
)

#: What held, what holds now, what is asked, and the answer.
CHANGES = (
    (
        "I pay 640 a month for my flat.",
        "They raised what I pay for the flat to 705 a month.",
        "How much do I pay for my flat now?",
        "705",
    ),
    (
        "My exam is on the ninth of May.",
        "The exam was moved, it is on the second of June now.",
        "When is my exam?",
        "2 June",
    ),
    (
        "I run with a coach named Bruno.",
        "Bruno stopped, and Celeste is my running coach from now on.",
        "Who is my running coach?",
        "Celeste",
    ),
    (
        "My favourite café is the Blue Heron.",
        "I go to the Copper Kettle these days, it is my favourite café by far.",
        "Which café is my favourite?",
        "The Copper Kettle",
    ),
    (
        "There are nine people in my team.",
        "Two more joined, so we are eleven in the team.",
        "How many people are there in my team?",
        "11",
    ),
)

#: What is done on many days, and what is asked by the day.
DEEDS = (
    ("I handed in the {thing} report today.", "Which report did I hand in on {day}?"),
    ("Today I had lunch with the people from {thing}.", "With whom did I have lunch on {day}?"),
)

#: What is said three times of different things, and what is asked of all.
VISITS = (
    ("Last weekend I went to see the castle of {thing}.", "Which castles have I been to?"),
    ("I finished reading a novel called {thing}.", "Which novels have I read?"),
    ("I sold one of my paintings to the gallery {thing}.", "Which galleries bought my paintings?"),
)

#: What the assistant says in the middle, and what is asked.
PICKS = (
    (
        "- For the walk itself I would take the {name} loop, which is quiet and well marked.",
        "Which loop did you suggest for the walk?",
    ),
    (
        "- The book I recommend for it is “The {name} Letters”.",
        "What was the book that you recommended to me?",
    ),
    (
        "- Of the hotels that you named, the {name} House is the one with the large breakfast.",
        "Which hotel did you tell me has the large breakfast?",
    ),
    ("- A mild cheese such as {name} goes best with it.", "Which cheese did you say goes best?"),
    (
        "- Call it “Project {name}”; that is short and nobody else uses it.",
        "What name did you come up with for my project?",
    ),
    (
        "- Take the night train by way of {name}, which saves you a change.",
        "By way of which town did you tell me to take the night train?",
    ),
)
