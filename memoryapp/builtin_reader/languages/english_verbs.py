"""English verbs: base forms that people use of themselves, and irregular past forms. Pure."""

BASES = frozenset(
    "accept ache add admire adopt advise agree aim allow answer apply appreciate arrive ask attend "
    "avoid bake be become begin believe belong bike blog boil book borrow bring build buy call "
    "camp care carry catch celebrate change check choose clean climb coach code collect combine "
    "come commute compete compose consider contact continue cook create cry cycle dance date deal "
    "decide decorate deliver depend design develop die direct discover discuss dislike dive do "
    "donate draw dream drink drive earn eat edit encourage end enjoy enter exercise expect "
    "experience explore express face fall farm fear feed feel fight find finish fish fix fly focus "
    "follow foster freelance garden get give go grow guess handle hang hate have hear help hike "
    "hire hold hope host hunt imagine improve include inherit inspire intend interact invest "
    "invite jog join journal juggle jump keep knit know lack laugh lead learn leave lecture "
    "lend let like lift listen live look lose love maintain make manage marry mean meditate meet "
    "mentor mind miss mix model motivate move need nap nurse occupy offer open order organise "
    "organize owe own pack paint participate pass pay perform photograph pick plan plant play "
    "post practice practise prefer prepare present produce promise provide publish pull push "
    "raise read realise realize receive recommend record recycle regret relate relax rely "
    "remember renovate rent repair report represent research respect rest restore return ride "
    "row run sail save say schedule see seem sell send serve set sew share shop show sing sit "
    "skate ski skip sleep smoke snack snore sort speak specialise specialize spend stand start "
    "stay stick stop stream stretch struggle study suffer suggest supply support suppose surf "
    "survive swap swear swim switch take talk teach tell tend thank think train translate travel "
    "treat treasure trust try turn tutor type understand unwind update use value visit volunteer "
    "vote wait wake walk want wash watch wear weigh win wish wonder work worry wrestle write "
    "yearn babysit breed bowl box brew chair cheer chill co-own connect count cover crave credit "
    "crochet cross cuddle cut dabble debate dedicate depend detest embrace envision "
    "feature fundraise "
    "game gather handle head identify jam kayak mess operate order paddle pet pray pursue rock "
    "run sketch skydive snowboard solve strive tackle take thrive track unwind upload vlog weld "
    "carve drop hit pack put quit react reach reflect reward shoot shower sign skip "
    "spot steer stock "
    "store stream struggle submit sum supervise swing tend test text tidy tip touch trade "
    "admit adore adapt assemble assist balance bear bet blend breathe bring brush burn cater "
    "challenge chat cherish commit compare complete concentrate confess contribute convert "
    "cope copy craft cultivate cherish declare deserve doubt draft educate email emigrate employ "
    "engage examine fail fancy favor favour finance fold forget forgive gain graduate greet "
    "guide heal host ignore import injure install instruct interview launch lean lie measure "
    "memorise memorize moderate narrate negotiate note notice obtain oversee partner perceive "
    "persevere pour press print process program progress prove queue quote rate rank rehearse "
    "relocate remain remind repeat reserve resign retire review rise roast rotate sacrifice "
    "sample scan search secure separate settle sketch smell snorkel sound split sponsor stare "
    "stitch struggle subscribe succeed tackle taste tease tolerate tour transfer trek "
    "undergo unlock value vacuum warm waste water whistle win wrap".split()
)
#: Of these, the ones that are nouns as well: after "and", another noun may be meant.
NOUNS_TOO = frozenset(
    "ache aim answer bike blog book box brew bowl call camp care challenge chair change charge "
    "chat cheer code coach collect cook cover craft crave credit crochet cross cry cuddle cut "
    "cycle dance date deal debate design dive doubt draft dream drink drive drop email end "
    "exercise experience face fall fancy farm favor favour fear feature feed feel fight film "
    "finance find fish fix fly focus fold foster garden game gather grow guess guide hang hate "
    "head help hike hit hold hope host hunt interview jam jog juggle jump kayak knit lack laugh "
    "launch lead lean lecture lie lift like look love measure mentor mess mind miss mix model "
    "move nap need notice nurse offer order organ pack paddle paint partner pass pay pet "
    "photograph pick plan plant play post pour practice praise present press process produce "
    "program progress promise pull push queue quote raise rank rate reach record rent repair "
    "report research reserve respect rest result return review reward ride rise roast rock row "
    "run sail sample scan schedule search set settle shoot shop show shower sign sit ski sketch "
    "skip sleep smell smoke snack snore snowboard sort sound split sponsor spot stand stare start "
    "stay steer stick stitch stock stop store stream stretch struggle study supply support surf "
    "swap swim swing switch talk target taste tear tease test text thank tip touch tour trade "
    "track train transfer travel treasure treat trek trust try turn tutor type update upload use "
    "vacuum value video visit vlog volunteer vote wait wake walk want wash watch water wear weigh "
    "whistle win wish wonder work worry wrap".split()
)
#: These are past forms or participles as well.
AS_PAST = frozenset(
    "become bet come cut hit let overcome put quit read run set split spread".split()
)
#: Past forms and participles that no base form looks like.
PAST_FORMS = frozenset(
    "was were became been began begun bent bit bitten blew blown bought bound broke broken brought "
    "built burnt came caught chose chosen clung crept dealt did done drank drawn dreamt drew "
    "driven drove drunk dug eaten ate fallen fed fell felt flew flown forbade forgot forgotten "
    "forgave forgiven fought found froze frozen gave given gone got gotten grew grown had heard "
    "held hid hidden hung kept knew known laid lay led left lent lit lost made meant met mistook "
    "overcame overslept paid proved proven ran rang ridden risen rode rose rung said sang sat saw "
    "seen sent sewn shook shot shown sold sought slept slid spent spoke spoken sprang spun stole "
    "stolen stood struck stuck stung swam swept swore sworn swum taken taught thought threw thrown "
    "told took tore torn understood undertook underwent withdrew went woke woken won wore worn "
    "wrote written would learnt spelt spoilt leapt learned".split()
)
