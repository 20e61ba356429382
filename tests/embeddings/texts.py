"""Facts in several languages, eight in each."""

ENGLISH = [
    "The user lives in Cardiff with her sister.",
    "The user has an old dog that hates the stairs.",
    "The user works in the library on Mondays.",
    "The user is allergic to walnuts and does not eat meat.",
    "The user will go to Lisbon by train in the spring.",
    "The user sold the old bicycle to a neighbour.",
    "The user drinks green tea in the morning.",
    "The user plays the cello in a small orchestra.",
]
GERMAN = [
    "Der Nutzer wohnt mit seiner Schwester in einem Haus am See.",
    "Der Nutzer hat einen alten Hund, der die Treppe nicht mag.",
    "Der Nutzer ist am Montag immer in der Bibliothek.",
    "Der Nutzer kann keine Nüsse und auch kein Fleisch essen.",
    "Der Nutzer will im Frühling mit dem Zug nach Lissabon.",
    "Der Nutzer hat sein altes Fahrrad an einen Nachbarn verkauft.",
    "Der Nutzer mag am Morgen nur einen grünen Tee.",
    "Der Nutzer war mit seiner Mutter in den Bergen.",
]
JAPANESE = [
    "去年、札幌に引っ越しました。",
    "姉は猫を二匹飼っています。",
    "月曜日は図書館で働いています。",
    "くるみのアレルギーがあります。",
    "春に電車で金沢へ行きます。",
    "古い自転車を隣の人に売りました。",
    "朝はいつも緑茶を飲みます。",
    "小さなオーケストラでチェロを弾いています。",
]
DUTCH = [
    "Ik woon sinds vorig jaar in Utrecht en werk als leraar op een basisschool.",
    "Mijn zus heeft twee katten en een hond die altijd op de bank ligt.",
    "Gisteren heb ik met Pieter een lange wandeling door het bos gemaakt.",
    "De gebruiker is allergisch voor noten en eet geen vlees.",
    "Volgende week gaan we met de trein naar Antwerpen.",
    "De vergadering met Karin is verplaatst naar donderdag om drie uur.",
    "Ik heb mijn oude fiets verkocht omdat ik een nieuwe wil.",
    "Elke ochtend drinkt zij groene thee met honing.",
]
