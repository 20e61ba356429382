"""Words that announce a secret, in the languages of the search and in those spoken most besides."""

from memoryapp.privacy.pii.normalisation import folded

#: In these languages, `announced_secrets` can tell a statement about a password from a password.
#: The first also matches misspellings: passwrod, pasword, p@ssw0rd.
FOR_PASSWORDS = (
    r"p[a@4]?[s$5]{1,3}[o0]?[ -]?w[o0]?r?[o0]?[dt]s?|pass ?code|pass ?phrase|passwörter|kennwort"
    r"|pwd|pw|psw|(?:secret|log-?in|sign-in|magic) word|losungswort"
    r"|mots? de passe|mdp|contraseñas?|contrasena|clave de acceso|parola d'ordine|parola chiave"
    r"|senhas?|palavras?-passe|wachtwoord(?:en)?"
)
FOR_KEYS = (
    r"(?:api|secret|access|client|app|auth|account|encryption|master|shared|license|storage)"
    r"[ _-]?(?:access[ _-]?)?(?:key|token|secret)|api[ _-]?(?:schlüssel|token)|clé (?:d')?api"
    r"|clave (?:de )?api|chiave api|chave (?:de )?api|(?:secret|bearer|session|refresh"
    r"|personal access)"
    r" tokens?|credentials?|creds|webhook secret|sig(?:ning)?[ _-]?(?:key|secret)"
)
LOOSELY_FOR_KEYS = r"token|secret|key|schlüssel|clave|chiave|chave|clé"
#: Ambiguous: only what looks like a secret after it is one.
LOOSELY_FOR_PASSWORDS = r"pass"
FOR_PHRASES = (
    r"(?:seed|recovery|backup|secret recovery|mnemonic|wallet)[ -]phrase|mnemonic|seed words"
    r"|recovery words"
)

#: The beginning of the word for "password", which may be inflected.
_BY_LANGUAGE = {
    "Arabic": r"(?:ال)?باسوو?رد|(?:ال)?كلمة (?:ال)?(?:مرور|سر)|(?:ال)?رقم(?:ي)? (?:ال)?سري"
    r"|(?:ال)?رمز (?:ال)?سري",
    "Armenian": r"գաղտնաբառ",
    "Basque": r"pasahitz",
    "Catalan": r"contraseny|clau de pas",
    "Danish": r"adgangskode|kodeord",
    "Estonian": r"parool|salasõna",
    "Finnish": r"salasana|tunnussana|tunnusluku",
    "Greek": r"κωδικός|κωδικό|κωδικού|συνθηματικό|πάσγουορντ",
    "Hindi, Nepali": r"पासवर्ड|कूटशब्द|गुप्त शब्द|गोप्य शब्द|गोप्यशब्द",
    "Hungarian": r"jelszó|jelszav",
    "Indonesian, Malay": r"kata sandi|sandi|kata kunci|kata laluan",
    "Irish": r"ph?asfhocal|focal faire",
    "Lithuanian": r"slaptažod|slaptazod",
    "Norwegian": r"passord",
    # Not the word of Italian: la parola.
    "Romanian": r"(?<!\bla )(?<!\ble )(?<!\buna )parol[aăei]",
    "Russian": r"парол[ьяюеи]|пассворд",
    "Serbian": r"lozink|лозинк|šifr[aeu]|шифр[аеу]",
    "Swedish": r"l[öo]senord",
    "Tamil": r"கடவுச் ?சொல்",
    "Turkish": r"[şs]ifre",
    "Yiddish": r"פּאַסוואָרט|פּאַראָל|פאסווארט",
    # Not among those of the search
    "Bengali": r"পাসওয়ার্ড",
    "Bulgarian, Macedonian": r"парола",
    "Czech, Slovak": r"hesl[oae]",
    "Hebrew": r"ה?סיסמ[אה]|סיסמת",
    "Latvian": r"parol[eiu]",
    "Persian": r"رمز ?عبور|گذرواژه|پسورد",
    "Polish": r"has[łl][oae]",
    "Slovenian": r"gesl[oau]",
    "Ukrainian": r"пароль|пароля|паролем",
    "Urdu": r"پاس ?ورڈ",
    "Vietnamese": r"mật khẩu|mat khau",
}
#: In these languages, only what looks like a secret is one: a statement cannot be told from it.
FOR_PASSWORDS_ELSEWHERE = folded("|".join(_BY_LANGUAGE.values()))
#: Written without spaces: Chinese, Japanese, Korean, Thai.
FOR_PASSWORDS_UNSPACED = (
    r"密码|密碼|口令|暗証番号|パスワード|パスコード|비밀번호|암호|비번|" + folded("รหัสผ่าน")
)
#: The forms of "is", and what stands in its place.
COPULAS = folded(
    r"on|er|är|is|es|és|e|é|este|je|jest|to|είναι|هو|هی|है|छ|हो|adalah|ialah|yra|ir|là|la|da|ist"
    r"|איז|הוא|היא|است|ہے|это|є|ná|-"
)
#: After PIN: code, number.
PIN_CODE = folded(
    r"code|number|nummer|numero|número|numéro|kode|kod|kood|koodi|kód|kodas|cod|cód|codi|kodea"
    r"|uimhir|κωδικός"
)
FOR_PINS = folded(
    rf"PIN(?: ?-?(?:{PIN_CODE})[^\W\d]{{0,5}}|-[^\W\d]{{1,4}})?|PINs|Geheimzahl"
    r"|(?:ПИН|пин)(?:[- ]?код\w{0,2})?"
    r"|पिन(?: कोड| नंबर)?|பின்(?: எண்)?|الرقم السری|رقم التعریف الشخصی|פין|קוד סודי|Պին|暗証番号"
)
#: for the router, of my account, du wifi: what the secret opens.
OF = (
    r"(?: (?:for|to|of|on|at|in|from|für|fürs|vom|von|zum|zu|im|pour|de|du|des|del|della|dello|para"
    r"|per|di|do|da|voor|van|bij)\b[^.!?;:=\n\ue000]{1,60}?)?"
)
NOW = (
    r"(?: (?:now|still|just|simply|currently|always|set to|changed to|actually|also|jetzt|nun|immer"
    r"|noch|aktuell|maintenant|toujours|ahora|adesso|ora|agora|nu|zur Zeit))?"
)
IS = (
    r"(?:is|are|was|were|will be|has been|became|should be|ist|sind|war|lautet|heißt|est|sont|était"
    r"|es|son|era|è|sono|é|são|zijn|är|er|to|is set to|was changed to)"
)
