"""Verb forms of Italian, Spanish and French: the first person with its third. Pure."""


def _pairs(text: str) -> dict[str, str]:
    return dict(pair.split(":") for pair in text.split())


def _italian() -> dict[str, str]:
    forms: dict[str, str] = {}
    for verb in (
        "abitare adorare amare andare allenare arrivare aspettare aiutare acquistare ascoltare "
        "assaggiare cambiare cantare cercare chiamare collezionare coltivare comprare cominciare "
        "cucinare curare detestare disegnare diventare evitare evitare frequentare fumare girare "
        "giocare gestire guadagnare guardare guidare imparare iniziare insegnare lavorare lasciare "
        "mangiare mandare mancare nuotare odiare organizzare ospitare pagare parlare passare "
        "passeggiare partecipare pensare pedalare piantare portare praticare preparare prenotare "
        "programmare progettare pubblicare recitare restaurare riparare risparmiare ritornare "
        "sposare sperare studiare suonare terminare tornare trasportare trovare usare viaggiare "
        "visitare volare allevare allattare abbracciare adottare affittare andare "
        "ballare camminare "
        "comunicare crescere depositare sciare pescare pattinare svegliare alzare allenare "
        "interessare occupare trovare rilassare laureare diplomare"
    ).split():
        if not verb.endswith("are"):
            continue
        root = verb[:-3]
        soft = root[:-1] if root.endswith("i") else f"{root}h" if root[-1] in "cg" else root
        forms |= {f"{root}o": f"{root}a", f"{root}avo": f"{root}ava", f"{root}ai": f"{root}ò"}
        forms |= {f"{soft}erò": f"{soft}erà"}
    for verb in (
        "vivere prendere leggere scrivere correre vendere perdere mettere spendere ricevere "
        "crescere vedere credere chiedere chiudere decidere dividere ridere temere accendere "
        "attendere difendere rispondere scendere trascorrere iscrivere assumere nascere soffrire "
        "dormire partire sentire seguire aprire coprire offrire servire vestire divertire"
    ).split():
        root, vowel = verb[:-3], verb[-3]
        forms |= {f"{root}o": f"{root}e", f"{root}{vowel}vo": f"{root}{vowel}va"}
        forms |= {f"{root}{vowel}rò": f"{root}{vowel}rà"}
    for (
        verb
    ) in "finire capire preferire pulire costruire spedire gestire trasferire guarire".split():
        root = verb[:-3]
        forms |= {
            f"{root}isco": f"{root}isce",
            f"{root}ivo": f"{root}iva",
            f"{root}irò": f"{root}irà",
        }
    return forms | _pairs(
        "sono:è ho:ha vado:va faccio:fa sto:sta so:sa posso:può voglio:vuole devo:deve vengo:viene "
        "esco:esce tengo:tiene dico:dice bevo:beve do:dà rimango:rimane salgo:sale scelgo:sceglie "
        "mantengo:mantiene provengo:proviene ero:era avevo:aveva facevo:faceva stavo:stava "
        "bevevo:beveva sarò:sarà avrò:avrà andrò:andrà farò:farà starò:starà "
        "verrò:verrà vorrò:vorrà "
        "nacqui:nacque abbiamo:ha viviamo:vive abitiamo:abita facciamo:fa"
    )


def _spanish() -> dict[str, str]:
    forms: dict[str, str] = {}
    for verb in (
        "trabajar hablar estudiar amar odiar tomar tocar cocinar comprar usar llevar pasar viajar "
        "visitar caminar cantar bailar nadar entrenar enseñar cuidar dibujar pintar ganar gastar "
        "ahorrar terminar empezar llamar mudar casar alquilar ayudar adoptar aprobar adorar acabar "
        "coleccionar cultivar dejar desayunar descansar detestar diseñar esperar esquiar evitar "
        "firmar fumar grabar hornear jubilar licenciar graduar llegar mandar manejar mirar montar "
        "necesitar organizar pagar pescar planear practicar preparar programar publicar quedar "
        "regresar reparar sacar buscar trasladar tratar dedicar entregar jugar levantar comenzar "
        "apuntar escuchar cenar participar celebrar inscribir cambiar encontrar"
    ).split():
        root = verb[:-2]
        if not verb.endswith("ar"):
            continue
        hard = root[:-1] + "qu" if root[-1] == "c" else f"{root}u" if root[-1] == "g" else root
        hard = root[:-1] + "c" if root[-1] == "z" else hard
        forms |= {f"{root}o": f"{root}a", f"{hard}é": f"{root}ó", f"{verb}é": f"{verb}á"}
    for verb in (
        "vivir comer beber leer escribir correr vender aprender recibir subir abrir "
        "asistir compartir "
        "decidir deber creer comprender cumplir sufrir partir permitir conocer nacer crecer perder "
        "mover volver entender coger recoger descubrir unir inscribir romper ofrecer"
    ).split():
        root = verb[:-2]
        forms |= {f"{root}o": f"{root}e", f"{root}í": f"{root}ió", f"{verb}é": f"{verb}á"}
    return forms | _pairs(
        "soy:es estoy:está voy:va doy:da tengo:tiene vengo:viene hago:hace pongo:pone salgo:sale "
        "digo:dice traigo:trae oigo:oye conozco:conoce nazco:nace crezco:crece sé:sabe "
        "veo:ve he:ha "
        "puedo:puede quiero:quiere prefiero:prefiere juego:juega duermo:duerme pienso:piensa "
        "empiezo:empieza comienzo:comienza siento:siente entiendo:entiende pierdo:pierde "
        "cuento:cuenta encuentro:encuentra recuerdo:recuerda vuelvo:vuelve pido:pide sigo:sigue "
        "sirvo:sirve visto:viste mido:mide muestro:muestra cierro:cierra despierto:despierta "
        "acuesto:acuesta almuerzo:almuerza riego:riega elijo:elige dirijo:dirige recojo:recoge "
        "protejo:protege conduzco:conduce traduzco:traduce sueño:sueña suelo:suele "
        "mantengo:mantiene "
        "pertenezco:pertenece padezco:padece fui:fue tuve:tuvo hice:hizo estuve:estuvo pude:pudo "
        "puse:puso quise:quiso supe:supo vine:vino dije:dijo traje:trajo conduje:condujo di:dio "
        "vi:vio leí:leyó oí:oyó caí:cayó construí:construyó seguí:siguió pedí:pidió elegí:eligió "
        "preferí:prefirió sentí:sintió dormí:durmió conseguí:consiguió consigo:consigue haré:hará "
        "tendré:tendrá iré:irá seré:será estaré:estará podré:podrá vendré:vendrá hemos:ha "
        "tenemos:tiene vivimos:vive empecé:empezó comencé:comenzó"
    )


ITALIAN = _italian()
SPANISH = _spanish()
#: The third person in the plural, of verbs that people use of their family.
ITALIAN_PLURALS = frozenset(
    "sono hanno vivono abitano lavorano amano adorano studiano fanno vanno vengono giocano suonano "
    "preferiscono parlano odiano insegnano cucinano gestiscono si".split()
)
SPANISH_PLURALS = frozenset(
    "son están tienen viven trabajan estudian aman adoran odian van vienen hacen juegan tocan "
    "prefieren hablan enseñan cocinan han comen beben se".split()
)
_FRENCH_ER = frozenset(
    "achète adopte aide allaite arrive bricole change cherche commence coûte cultive déménage "
    "dessine écoute élève espère fabrique fume gagne garde gère habite jardine joue loue marche "
    "mesure monte nage organise passe pèse photographie pleure porte prépare quitte rentre répare "
    "reste retourne s'occupe soigne souffre surveille termine tombe tousse traite tricote trouve "
    "vole voyage".split()
)
FRENCH_PLURALS = frozenset(f"{verb}nt" for verb in _FRENCH_ER) | frozenset(
    "sont ont vivent habitent travaillent aiment adorent étudient font vont viennent jouent "
    "préfèrent parlent détestent enseignent cuisinent".split()
)
#: Those of "we" that `ITALIAN` and `SPANISH` know, to the third person in the plural.
ITALIAN_OF_WE = _pairs("abbiamo:hanno viviamo:vivono abitiamo:abitano facciamo:fanno")
SPANISH_OF_WE = _pairs("hemos:han tenemos:tienen vivimos:viven")
_FRENCH = _pairs(
    "suis:est ai:a vais:va fais:fait peux:peut veux:veut dois:doit prends:prend apprends:apprend "
    "comprends:comprend entends:entend vends:vend perds:perd rends:rend attends:attend mets:met "
    "promets:promet bats:bat réponds:répond descends:descend défends:défend vis:vit lis:lit "
    "écris:écrit dis:dit sais:sait connais:connaît nais:naît fus:fut eus:eut vaux:vaut viens:vient "
    "deviens:devient tiens:tient pars:part sors:sort dors:dort cours:court sers:sert ris:rit "
    "conduis:conduit construis:construit traduis:traduit produis:produit bois:boit vois:voit "
    "crois:croit reçois:reçoit souffre:souffre offre:offre ouvre:ouvre ressens:ressent "
    "appartiens:appartient reviens:revient parcours:parcourt poursuis:poursuit finis:finit "
    "choisis:choisit grandis:grandit réussis:réussit remplis:remplit ralentis:ralentit "
    "étais:était avais:avait suivis:suivit"
)
#: French verbs whose first person is no other word, and another than the third.
FRENCH_FIRST = frozenset(form for form, third in _FRENCH.items() if form != third)
FRENCH_THIRDS = (
    frozenset(_FRENCH.values())
    | _FRENCH_ER
    | frozenset(
        "habite travaille étudie joue aime adore déteste préfère parle mange cuisine enseigne "
        "appelle "
        "possède collectionne pratique dirige chante danse suit opère coud peint".split()
    )
)
#: Verbs of "on" that tell of the speaker and theirs, not of people in general.
_FRENCH_OF_ON = frozenset("a est vit part".split())
_NO_FRENCH_VERBS = frozenset("me te se le la les ne y en pas plus que de une".split())


def french(verb: str) -> str | None:
    """The third person of a French verb after "je"; None if it does not look like one."""
    if verb in _FRENCH:
        return _FRENCH[verb]
    if verb in _FRENCH_OF_ON:
        return verb
    if verb in _NO_FRENCH_VERBS or len(verb) < 3:
        return None
    if verb.endswith("rai"):
        return f"{verb[:-1]}"
    if verb.endswith(("ais", "is", "us", "rs")):
        return f"{verb[:-1]}t"
    return verb if verb.endswith("e") else None
