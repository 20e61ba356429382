"""Vocabulary of Portuguese, as it is written in Portugal and in Brazil. Pure."""

import re

from memoryapp.language.command_words import CommandWords
from memoryapp.language.denial_words import BETWEEN, DenialWords, ending
from memoryapp.language.fact_words import FactWords, one_word_each, phrases
from memoryapp.language.fiction_words import FictionWords
from memoryapp.language.home_words import HomeWords
from memoryapp.language.joining_words import JoiningWords
from memoryapp.language.narration_words import NarrationWords
from memoryapp.language.number_words import cardinals, up_to_twelve
from memoryapp.language.question_words import QuestionWords
from memoryapp.language.speech_words import SpeechWords, frozen
from memoryapp.language.time_words import TimeWords, part_phrases, parts_of_day
from memoryapp.language.turn_words import TurnWords, anywhere, words
from memoryapp.language.vocabulary import Vocabulary

_FUNCTION_WORDS = frozenset(
    "o a os as um uma uns umas eu me mim meu minha meus minhas comigo nós nos nosso nossa nossos "
    "nossas conosco tu te ti teu tua teus tuas você vocês ele ela eles elas lhe lhes se si seu sua "
    "seus suas dele dela deles delas que quê quem qual quais quando onde aonde como porque por "
    "quanto quanta quantos quantas e ou mas nem não de do da dos das em no na nos nas num numa ao "
    "aos à às pelo pela pelos pelas com sem para pra sobre entre desde até é sou és somos são está "
    "estou estás estamos estão era foi fui ser estar tenho tem temos têm tinha tive há havia vou "
    "vai pode podes posso poderia deve devo este esta estes estas esse essa esses essas isso isto "
    "aquele aquela aquilo aqui aí ali lá mais muito também já ainda só se então".split()
)
#: Frequent verbs with which a speaker says "I" without a pronoun.
_OWN_VERBS = frozenset(
    "tenho tinha tive sou estou estava fui fiz disse moro vivo devo deveria posso vou faço "
    "comprei trabalho preciso quero gosto".split()
)
_MONTHS = (
    "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro"
).split()
_WEEKDAYS = "segunda terça quarta quinta sexta sábado domingo".split()
#: Without "cem", which is a name as well.
_CARDINALS = cardinals(
    "dois/duas três quatro cinco seis sete oito nove dez onze doze treze catorze/quatorze quinze "
    "dezesseis/dezasseis dezessete/dezassete dezoito dezenove/dezanove vinte trinta quarenta "
    "cinquenta sessenta setenta oitenta noventa cento mil milhão/milhões"
)

_TIMES = TimeWords(
    word=re.compile(
        r"(?i:(?:fim|fins) de semana|que vem)|(?i:(?:segunda|terça|quarta|quinta|sexta)-feira)|"
        r"[^\W_]+"
    ),
    days={"anteontem": -2, "ontem": -1, "hoje": 0, "amanhã": 1, "depois de amanhã": 2}
    | {"esta manhã": 0, "esta noite": 0, "hoje à noite": 0, "esta tarde": 0}
    | {"ontem à noite": -1, "ontem à tarde": -1, "amanhã à noite": 1, "amanhã de manhã": 1},
    units={
        word: unit
        for unit, names in {
            "day": "dia dias",
            "week": "semana semanas",
            "month": "mês meses",
            "year": "ano anos",
        }.items()
        for word in names.split()
    }
    | {"fim de semana": "weekend", "fins de semana": "weekend"},
    seasons={"primavera": 0, "verão": 1, "outono": 2, "inverno": 3},
    parts_of_day=parts_of_day("manhã manhãs|meio-dia|tarde tardes||noite noites"),
    approximate=frozenset("quase cerca uns umas".split()),
    after_hour=frozenset("h horas".split()),
    part_written=part_phrases("de manhã|ao meio-dia|à tarde|à noite|à noite"),
    midnight="meia-noite",
    weekdays={day: number for number, day in enumerate(_WEEKDAYS)}
    | {f"{day}-feira": number for number, day in enumerate(_WEEKDAYS[:5])},
    months={month: number for number, month in enumerate(_MONTHS, 1)},
    numbers={"um": 1, "uma": 1} | up_to_twelve(_CARDINALS),
    vague={"um par de": 2, "uns": 3, "umas": 3, "alguns": 3, "algumas": 3, "vários": 4},
    last=frozenset("passado passada último última".split()),
    last_of_several=frozenset("últimos últimas passados passadas".split()),
    this=frozenset("este esta neste nesta".split()),
    next=frozenset(["próximo", "próxima", "que vem"]),
    after_next=frozenset(),
    after_next_behind="",
    ago_before=("há", "faz"),
    ago_after=("atrás",),
    ahead_before=("daqui a", "dentro de", "em"),
    before_weekday=frozenset("na no à ao esta este nesta neste até desde".split()),
    before_month=frozenset("em desde até".split()),
    beginnings=frozenset(["desde"]),
    openings=frozenset(["desde"]),
    targets=frozenset("a à ao para até".split()),
    before_month_asked=frozenset("em de desde até durante".split()),
    abbreviations={name[:3]: number for number, name in enumerate(_MONTHS, 1)},
    first_day="primeiro",
    ordinals="[°º]",
    date_links="de|do",
    month_before_day=False,
    last_day=("último dia",),
    lasting_before=("durante", "por"),
    habits=frozenset("cada todo toda todos todas as aos às".split()),
    kept=frozenset("desde até para de da do".split()),
    dropped=frozenset("o a no na em".split()),
    range_links="a|ao|até|até ao|e",
    before_range=re.compile(r"(?:de|do|desde|entre|nos dias)\s$", re.IGNORECASE),
    day_article="dia",
    day_ending=r"(?![\w:]|[.,]\d|\s(?:horas|h)\b)",
    days_alone=(r"(?<=\bdia )(?P<day>\d{1,2})(?=[.,;!?)]|$|\s(?:às|com|em|para|e)\b)",),
    numbered=frozenset("número números favorito preferido sorte andar".split()),
    before_digits=("dia", "em", "até"),
    parts_of_month=frozenset("início meados fim final fins mês".split()),
    conjunctions=frozenset("e ou".split()),
    before_hour=frozenset(),
    written={
        "range": "de {first} a {last}",
        "day": "em {day}",
        "around": "por volta de {day}",
        "week": "na semana de {day}",
        "weekend": "no fim de semana de {day}",
        "month": "em {month} de {year}",
        "year": "em {year}",
        "season": "{season} {year}",
    },
    month_names=_MONTHS,
    season_names=["na primavera de", "no verão de", "no outono de", "no inverno de"],
)
_THE = r"(?:(?:o|a|os|as|meu|minha|um|uma) )?"

_TURNS = TurnWords(
    asks=words(
        r"(?:o )?que (?!(?:bom|boa|lindo|linda|pena|legal|fixe|alegria|susto|horror|raro|nojo|"
        r"sorte|calor|frio)\b)\w+ \w+|(?:o que|quê)$"
        r"|quem \w+(?!.{0,60} (?:é|são|sabe)\b)"
        r"|onde (?!.{0,60} não\b)\w+|(?:qual|quais|aonde|quantos|quantas) \w+"
        r"|por que \w+|(?:quanto|quanta) (?!(?:te|me|o|a)\b)\w+"
        r"|quando (?:é|são|foi|será|vou|vai|vamos) \w+|quando é"
        r"|como (?:é|são|se|está|foi|faço|posso) \w+"
        r"|(?:quem|quando|onde|como|qual|quanto)$"
        rf"|quem é {_THE}\w+$|qual é|como se chamam? \w+|como (?:me|te) chamo"
        r"|(?:a|com|de|em|para|por|desde|até|sobre) (?:que|quem|qual|quando|onde) \w+"
    ),
    asks_if_marked=words(
        r"posso|podes|pode|sabes|sabe|é|está|devo|tenho que|há|tem|onde|quando|como|que"
    ),
    asks_indirectly=words(
        r"(?:(?:me )?(?:podes|pode|poderia|consegues) (?:me )?(?:dizer|lembrar)(?:-me)?|diz-me|"
        r"diga-me|me (?:diz|diga|lembra|lembre)|(?:quero|queria|gostava de|gostaria de) saber|"
        r"pergunto-me|(?:te )?(?:sabes|sabe|lembras|lembra)(?:-te)?|lembra-me)(?: de)?[ ,]{1,2}"
        r"(?:o que|que|quem|qual|quais|onde|quando|como|quantos?|quantas?|por que|porque|se|"
        r"(?:a|com|de|em|para|por|desde) (?:que|quem|qual|onde|quando))"
    ),
    asks_within=anywhere(r"(?:o que|como|onde|quanto|qual) (?:posso|devo|é|faço)|posso"),
    verbs=anywhere(r"é|são|sou|somos|está|estou|tenho|tem|era|foi|sabe|chama"),
    relative=words(r"que|quem|o qual|a qual"),
    requests=words(
        r"(?:por favor )?(?:(?:diz|dá|faz|escreve|explica|procura|mostra|recomenda|ajuda|conta|"
        r"traduz|resume|ensina|corrige|aconselha|prepara)-me"
        r"|me (?:diga|dê|faça|escreva|explique|mostre|recomende|ajude|conte|ensine)"
        r"|(?:escreve|escreva|traduz|traduza|resume|resuma|corrige|corrija|explica|explique|"
        r"redige|reescreve|reescreva) (?:um|uma|o|a|os|as|est\w+|isto|isso|em|[\"'“«]\w*)"
        r"|(?:calcula|calcule|define|defina|descreve|descreva) (?:o|a|os|as|est\w+))"
    ),
    reads=words(
        r"(?:por favor )?(?:traduz|traduza|corrige|corrija|resume|resuma|reescreve|reescreva|"
        r"explica|explique)"
    ),
    beside=anywhere(
        r"(?:com|como|d[aeo]s?|desde|em|n[ao]s?|à|ao|para|pra|pel[ao]|por|sem|sobre) (?:[ao]s? )?"
        r"(?:meus?|minhas?|nossos?|nossas?)"
        r"|(?:já que|dado que|visto que|porque|embora|agora que|se (?:sou|tenho|não posso))"
        r"(?: [\w'-]+){2}|para um\w* \w+ que|(?:a partir de|desde) agora|de agora em diante"
        r"|(?:disse|contei|sabes|sabias|sabe|sabia|lembr\w+|anot\w+|apont\w+)(?: de)? que"
        r"(?: [\w'-]+){3}"
    ),
    changes=anywhere(
        r"agora|já não|em vez de|em lugar de|mud(?:ei|ou|ámos|amos|ança)|nov[ao]s?|adi(?:ad[ao]s?|"
        r"aram|ou)|cancel(?:ad[ao]s?|aram|ou)|deix(?:ei|ou|ámos)|vend(?:i|eu|emos)|a partir de|"
        r"adeus|afinal|troquei|trocou|correção|corrijo"
    ),
    not_known=words(
        r"(?:desculpa,? |desculpe,? |lamento,? )?(?:mas )?(?:isso )?(?:ainda )?(?:não (?:o |a )?"
        r"(?:sei|me lembro|conheço|encontro|tenho "
        r"(?:(?:essa |esta |nenhuma )?informação|informações|acesso|dados|"
        r"isso))"
        r"|(?:ainda )?não me (?:disseste|disse|contaste|contou)|nenhuma informação)"
    ),
    comments=words(
        r"(?:isso )?(?:soa|parece)|fico (?:feliz|contente)|que (?:bom|boa|lindo|linda) \w+|"
        r"avisa-me|me avise|estou aqui|é bom saber|"
        r"(?:se|quando) me (?:disseres|disser|contares|contar)"
    ),
)
_RELATIVE = r"(\w+(?: \w+)?) d[eoa] NAME"
_SAID = (
    "perguntado|dito|contado|falado|escrito|mencionado|comentado|recomendado|sugerido|proposto|"
    "explicado|respondido"
)

_QUESTIONS = QuestionWords(
    now=anywhere(
        "agora|atualmente|actualmente|atual|atuais|neste momento|no momento|hoje em dia|"
        "estes dias|ultimamente|recentemente|recentes?|por enquanto|ainda|continuo|continua"
    ),
    first_person=anywhere("|".join(["eu|me|mim|meus?|minhas?|comigo", *sorted(_OWN_VERBS)])),
    assistant_said=re.compile(
        r"\b(?:disseste|recomendaste|sugeriste|aconselhaste|propuseste|mencionaste|explicaste|"
        r"escreveste|deste|contaste|descreveste|respondeste|fizeste|indicaste)\b"
        r"|\b(?:você|tu) (?:me )?(?:disse|recomendou|sugeriu|aconselhou|propôs|mencionou|explicou|"
        r"escreveu|deu|contou|descreveu|respondeu|indicou)\b"
        rf"|\b(?:tens|tinhas|tem|tinha) (?:{_SAID})\b"
        r"|\b(?:teu|tua|seu|sua) (?:conselho|resposta|recomendação|sugestão|proposta)",
        re.IGNORECASE,
    ),
    intake=anywhere(
        r"com(?:er|o|e|emos|em|ida|idas)|beber|bebo|bebe|cozinh(?:ar|o|a)|assar|prov(?:ar|o)|"
        r"café da manhã|pequeno-almoço|almoç(?:o|ar)|jant(?:ar|o|a)|lanch(?:e|es|ar)|"
        r"sobremesas?|bolos?|receitas?|cardápio|ementa|menus?|pratos?|bufê|ingredientes?|"
        r"alimentos?|fome|sede|restaurantes?|churrasco|"
        r"remédios?|medicamentos?|medicação|comprimidos?|pílulas?|analgésicos?|antibióticos?|"
        r"ibuprofeno|aspirina|paracetamol|receit(?:ar|ou|ado)|vacinas?|anestesia|"
        r"alérgic[oa]s?|alergias?|tolero|tolera"
    ),
    talk=re.compile(
        rf"\b(?:tenho|tens|temos|tinha|tinhas|tínhamos) (?:\w{{1,20}} )?(?:{_SAID})\b"
        # Not "O que lhe disse?".
        r"|(?<!\blhe )(?<!\blhes )\b(?:eu )?(?:contei|mencionei|comentei|perguntei)\b"
        r"|\b(?:te|lhe) (?:pedi|escrevi|expliquei|disse)\b|\bfalámos\b|\bfalamos\b"
        r"|\b(?:perguntaste|disseste|contaste|mencionaste|recomendaste|sugeriste|aconselhaste|"
        r"explicaste|respondeste|propuseste)\b"
        r"|\bvocê (?:me )?(?:disse|perguntou|contou|recomendou|sugeriu|explicou|respondeu)\b"
        # "O que me disse Kim?"
        r"|\b(?:me|nos) (?:disse|contou|perguntou|recomendou|aconselhou|escreveu|sugeriu)\b"
        r"|\b(?:minhas?|tuas?|suas?|nossas?) (?:\w{1,20} )?(?:perguntas?|respostas?|mensagens?|"
        r"mensagem|conversas?)\b",
        re.IGNORECASE,
    ),
    rephrasing=(
        (rf"\bo {_RELATIVE}", r"o meu \1"),
        (rf"\ba {_RELATIVE}", r"a minha \1"),
        (rf"\bos {_RELATIVE}", r"os meus \1"),
        (rf"\bas {_RELATIVE}", r"as minhas \1"),
        (r"\bcom (?:[oa] )?NAME", "comigo"),
        (r"\b(a|de|para|por|sem|sobre) (?:[oa] )?NAME", r"\1 mim"),
        ("NAME", "eu"),
    ),
)

_SPEECH = SpeechWords(
    mine=frozen("eu tu você"),
    subjects=frozen("eu nós"),
    parts=frozen(
        "pessoa participante entrevistador entrevistadora jornalista apresentador convidado "
        "narrador cliente agente usuário usuária utilizador humano assistente ia sistema p r "
        "paciente médico professor professora aluno aluna voz desconhecido mamãe papai chefe"
    ),
    headings=frozen(
        "nota notas aviso atualização correção pergunta perguntas resposta respostas problema "
        "problemas endereço morada correio email telefone celular nome trabalho profissão emprego "
        "título idade sexo aniversário nascimento cidade casa país lugar dieta alergia alergias "
        "remédios medicamentos hobby hobbies interesses gostos preferências contexto bio "
        "biografia perfil apresentação resumo objetivo objetivos meta metas tarefa tarefas "
        "resultado exemplo exemplos atenção erro info informação dados detalhes descrição "
        "categoria data hora quando onde quem como assunto tema lembrete importante vantagens "
        "desvantagens opção opções passo passos plano planos almoço lanche jantar manhã tarde "
        "noite hoje ontem amanhã dia semana mês ano orçamento preço custo total estado versão "
        "fonte link arquivo código habilidades formação experiência idioma idiomas fato fatos "
        "ideia ideias saúde música esporte viagem família carro dinheiro escola sono peso altura "
        "introdução conclusão conselho regra motivo agora antes depois olá obrigado obrigada "
        "desculpa sim não religião projeto sintomas consulta reunião voo comboio trem ônibus yoga "
        "ioga academia aula chamada festa concerto café chá"
    ),
    unreal=frozen(
        "meta metas objetivo objetivos plano planos ideia ideias exemplo exemplos tarefa "
        "tarefas projeto lembrete pergunta perguntas resultado opção opções tema"
    ),
    introduces=anywhere(r"saber|sobre mim|dizer|contar|lembrar|eu disse|escrevi|contei|digo"),
    disputed=anywhere(
        r"(?:mas|o que|e) (?:isso )?(?:não é (?:verdade|certo)|é (?:falso|mentira)|"
        r"está (?:errad[oa]|enganad[oa])|mente)"
    ),
    names=frozen(""),
    at="às",
    says=anywhere(
        r"repete|repetiu|repetia|afirma|afirmou|insiste|insistiu|jura|jurou|menciona|mencionou|"
        r"acrescentou|gritou|diz|disse|dizia|dizem|disseram|escreve|escreveu|respondeu|"
        r"perguntou|contou|comentou|"
        r"mandou|enviou|falou|postou|publicou|explicou"
    ),
    messages=anywhere(
        r"(?:mensagem|texto|sms|mensagem de voz|áudio|cartão|postal|cartão-postal|bilhete|"
        r"e-?mail|carta|nota|resposta|comentário|palavras|bio|perfil) "
        r"(?:de|do|da) (?!mim\b)(?:minha|meu|um|uma|(?-i:[A-ZÁÉ]\w{1,30}))"
        r"|n(?:a|o|uma?) (?:sua |seu )?(?:carta|postal|bilhete|mensagem)"
        r"|deixou uma? (?:bilhete|mensagem|carta)|deixou um bilhete"
    ),
)

_FICTION = FictionWords(
    before="então|bom|olá|oi|mas|e|agora|enfim",
    headings="estrofe|refrão|capítulo|cena|ato",
    begins=words(
        r"(?:vamos|vamos a) (?:fazer|jogar|brincar)\b[^.:!?]{0,20}\b(?:rpg|papéis|cena)|imagin[ae]|"
        r"(?:(?:ontem|esta "
        r"noite),? )?sonhei que\b|tive um (?:sonho|pesadelo)\b|imaginemos|suponha|suponhamos|"
        r"finja|faz de conta|n[oa] (?:meu|"
        r"minha) (?:romance|história|sonho|jogo|livro|roteiro|peça|filme|conto)|(?:meu|"
        r"minha) (?:personagem|protagonista)|era uma vez"
    ),
    marvels=re.compile(
        r"imagin[ae] (?:a |o )?(?:minha|meu|nossa|nosso|sua|"
        r"seu)(?: [^\W\d_]{1,14}){1,2}[!.]",
        re.IGNORECASE,
    ),
    tells=anywhere(
        r"em primeira pessoa|na primeira pessoa|do ponto de vista de|(?:persona|personagem|"
        r"perfil|usuári[oa]|cliente|diálogo|história) (?:de teste|de exemplo|fictíci[oa]s?|"
        r"imaginári[oa]s?|inventad[oa]s?)"
    ),
    works=anywhere(
        r"letra|canção|estrofe|refrão|poema|roteiro|cena|capítulo|monólogo|diálogo|conto|"
        r"prólogo|diário|romance|personagem|protagonista"
    ),
    leaves=words(
        r"(?:então |quando |e )?(?:eu )?acordei\b|(?:voltando|de volta) à (?:realidade|"
        r"vida real)|na (?:realidade|vida real|verdade)|"
        r"fim(?: d[ao] (?:história|jogo|conto|cena))?(?=[.,:!)]|$)|brincadeiras à parte|"
        r"(?:agora )?a sério|falando sério"
    ),
)

_DENIALS = DenialWords(
    denials=frozen("não nunca jamais nenhum nenhuma ninguém nada sem"),
    of_one_thing=frozen("nenhum nenhuma nada sem"),
    verbs=frozen("odeio odeia detesto detesta evito evita deixei deixou parei parou"),
    in_sense=frozen("raramente infelizmente alérgico alérgica recusado cancelado"),
    yet=frozen("ainda"),
    enough=frozen("suficiente bastante"),
    plain=r"\b(?:não|nenhuma?|nunca|jamais)\b",
    limits="só|somente|apenas",
    stress=r"de (?:modo|maneira|jeito) (?:algum|nenhum)|de forma alguma|absolutamente|"
    r"(?<!não )(?:realmente|certamente|definitivamente)|mesmo|repito,? não",
    instead=ending(r",? (?:mas|senão)\b"),
    untrue=ending(
        r"(?:não é (?:verdade|certo|correto)|é (?:falso|mentira)|(?:por favor,? )?"
        r"(?:esqueça|esquece|esqueça-se de|esquece-te de)(?: o fato de| o facto de)?) que "
    ),
    never=ending(r"\b(?:nunca|jamais) (?:fui|foi|era)\b"),
    am="sou",
    forms=("ser é sou era fui foi sido seja fosse", "ter tem tenho tinha teve tive tenha"),
    no_longer=(
        ending(rf"\bjá\b{BETWEEN}\bnão\b"),
        ending(rf"\bnão\b{BETWEEN}\bmais\b(?! (?:de|do|que)\b)"),
    ),
    stopping=ending(r"\b(?:deixei|deixou|parei|parou) de\b"),
)

_HOME = HomeWords(
    lives=frozen("mora vive reside"),
    where=frozen("em no na nos nas"),
    tells=frozen(
        "moro mora morar moramos vivo vive viver casa apartamento mudei mudou mudar mudança cidade "
        "bairro vizinhos residência aqui aluguel aluguer"
    ),
)

_JOINS = JoiningWords(
    adding=frozen("e"),
    choosing=frozen("ou"),
    opposing=frozen("mas"),
    giving_reasons=frozen("porque"),
    concluding=frozen("então"),
)

_COMMANDS = CommandWords(
    commands=frozen(
        "responda responde escreva escreve traduza traduz ignora esqueça resuma explica mostre "
        "mostra envie envia apague dá fale fala diga usa crie procure lembre"
    ),
    requests=frozen("recomenda recomende sugira sugere procura encontra diga ajuda"),
    politely="pode|podes|poderia|podia",
    manners=frozen("responda responde responder escreva escreve fale fala chame chama usa trata"),
    talk=frozen("responda responde fale fala usa"),
    style=frozen("breve breves curto curta simples português inglês alemão"),
    forms_of_address="(?:chame|trate|chama|trata)-me|me chame|me chama",
    fillers=frozen("por favor sempre nunca não"),
    standing=frozen("sempre nunca jamais cada"),
    standing_phrases="a partir de agora|de agora em diante|daqui em diante",
    no_manners="senha|instruções",
    question_words=frozen("quem qual quais quando onde como"),
    asked=frozen("é são está"),
    finite=frozen("está estava era tinha havia será foi são"),
    subordinating=frozen("que se quando como porque"),
    of_object=frozen("os um uma todo toda todos todas cada sempre meu minha"),
    prepositions=frozen("de da dos das com em na para por sobre"),
    breaking_off=frozen("e"),
)

_FACTS = FactWords(
    kin=one_word_each(
        "mãe|pai|irmã|irmão|filha|filho|marido|namorado|namorada|avó|avô|tia|tio|cão cachorro"
    ),
    pets=frozen("cão cachorro"),
    units=frozen("euro euros ano anos mês meses semana semanas dia dias hora horas"),
    numbered=frozen("caixa quarto fatura número prateleira capítulo página rua pedido conta"),
    measuring=frozen("pesa custa ganha"),
    preferring=frozen("prefere preferem"),
    states=phrases(
        "vive em|mora em|trabalha na|trabalha para|trabalha como|chama-se|casado com|casada com"
    ),
    attributes=frozen(
        "nome aniversário idade endereço morada trabalho salário aluguel médico dentista chefe"
    ),
    superlatives=frozen("favorito favorita preferido preferida atual"),
    conjunctions=frozen("quando se porque embora enquanto antes depois"),
)

_NARRATION = NarrationWords(
    narration=frozen("usuário usuária gosta quer"),
)

PORTUGUESE = Vocabulary(
    name="portuguese",
    function_words=_FUNCTION_WORDS,
    own_signs=frozenset("ãõÃÕ"),
    first_person=frozenset(
        ("eu me mim meu minha meus minhas comigo nós nos nosso nossa nossos nossas conosco").split()
    ),
    own_verbs=_OWN_VERBS,
    possessives=frozen("meu minha meus minhas nosso nossa nossos nossas"),
    second_person=frozen("você vocês tu te ti teu tua teus tuas"),
    third_person=frozenset("ele ela".split()),
    stating=frozenset("sou é estou tenho".split()),
    times=_TIMES,
    turns=_TURNS,
    questions=_QUESTIONS,
    speech=_SPEECH,
    fiction=_FICTION,
    denials=_DENIALS,
    home=_HOME,
    joins=_JOINS,
    commands=_COMMANDS,
    facts=_FACTS,
    narration=_NARRATION,
    numerals={"zero": 0} | _CARDINALS,
)
