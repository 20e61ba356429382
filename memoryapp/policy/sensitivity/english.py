"""English words of the sensitive areas; `wordings` explains the notation."""

from memoryapp.policy.sensitivity.areas import SensitiveArea
from memoryapp.policy.sensitivity.wordings import Wording

ENGLISH = {
    SensitiveArea.HEALTH: Wording(
        tells="""
        diagnos*, allerg*, intoleran*, asthma*, diabet*, insulin, epilep*, migraine*, cancer*,
        tumo(r/rs/ur/urs), leuk(a/)emi*, chemo*, radiotherap*, dialysis, arthritis, rheumat*,
        multiple sclerosis, parkinson*, alzheimer*, dementia, autis*, adhd, dyslexi*, asperger*,
        crohn*, colitis, coeliac, celiac, gluten free, (can not/cannot/can t) eat, hepatitis,
        hiv, hiv positive, aids patient, covid, pneumonia, bronchitis, anemi*, anaemi*, anxiety,
        panic (attack/attacks/disorder), depress(ed/ion), antidepress*, bipolar, schizophren*,
        ptsd, ocd, burnout, burned out, burnt out, anorexi*, bulimi*, eating disorder, self
        harm*, suicid*, psychiatr*, psychotherap*, therapist, in therapy, counsell(ing/or),
        counseling, rehab*, sober, alcoholic*, in recovery, recovering from, (drug/alcohol)
        (problem/abuse), overdos*, pregnan*, miscarr*, abortion, infertil*, ivf, menopaus*,
        endometriosis, heart (attack/disease/condition/failure/surgery), stroke, blood pressure,
        hypertens*, cholesterol, pacemaker, surger*, (had/having/needs/need) an operation,
        operated on, transplant*, amputat*, wheelchair, disab(led/ility/ilities), paraly(sed/
        zed), paraplegi*, (is/am/was/are/going/went/nearly/partially/legally) (deaf/blind),
        hearing aid*, broke (his/her/my/their/a) (leg/arm/hip/wrist/ankle/foot/collarbone),
        broken (leg/arm/hip), slipped disc, herniat*, hospitali(sed/zed), (in/into/to/from)
        hospital, in the hospital, (takes/take/taking/on/prescribed/dose of) … (medication/
        pills/mg/antibiotics/painkillers/statins/steroids/opioids), beta blockers, blood
        thinner*, inhaler, metformin, sertraline, ibuprofen, lithium … (daily/mg), prescri(bed/
        ption), sick leave, chronic*, (suffers/suffer/suffering) from, symptoms, syndrome,
        infection, (feels/feel/feeling/is/am/was/been) (ill/unwell), (very/seriously/terminally)
        ill, insomnia, eczema, psoriasis, lupus, fibromyalgia, thyroid, sciatica, scoliosis,
        blood type, blood group, tested positive, cardiologist, oncologist, neurologist, gyn(a/
        )ecologist, fever, back pain, medical (condition/history/leave), sleep apn(o/)ea,
        lactose, ill with, sick with, mental health, side effects, lost (a/the/our/her/their)
        baby, *arthrosis, (expecting/expects/expect) (a/another/their/twins) (baby/child/),
        (barely/can t/cannot) (see/walk/hear), mentally (ill/unwell), treated for, in treatment,
        the doctor (found/says/said/told), (hurt/hurts/aching/aches) … (back/knee/knees/
        shoulder/head/stomach), (back/knee/knees/shoulder/head/stomach) … (hurt/hurts/aches/
        pain), in pain, vaccinated, blood (test/tests/sugar), nervous breakdown, (lost/losing)
        (his/her/my) (sight/hearing/memory), bedridden, (mental/nervous) (illness/disorder/
        breakdown), physiotherap*, physical therapy, kidney*, liver (disease/failure/damage),
        angina, tinnitus, vertigo, hay fever, gout, obes*, overweight, seizure*, ulcer*, hernia,
        shingles, (cast/crutches/stitches), hormone replacement, smoker, detox, hospice,
        palliative, (daily/weekly) injections, ringing in (my/his/her/their) ears, (started/
        starting/begun/begins) to forget, (forgets/forgetting/losing) (our/her/his/everything/
        names), relaps*, drinking again, (quit/stopped/gave up) (drinking/smoking/drugs), (aa/
        rehab) , (skin/liver/lung/heart/stomach/thyroid) (condition/problem/problems/disease),
        (wears/wear/needs) (glasses/a brace/contact lenses), (can t/cannot/hardly/barely/not
        able to) (sleep/walk/breathe/move/swallow/hear/see), nightmares, flashbacks, (taking/
        takes/take/needs/swallows) … (pill/pills/tablets/drops/vitamins), (avoid/avoids/no)
        (salt/sugar/gluten/dairy) (because/for), bad (back/knee/heart/lungs), (lost) … weight,
        dosage, (sees/seeing/saw) (a/her/his/my/the) (doctor/specialist/psychologist/shrink),
        carpal tunnel, sprain*, concuss*, stitches, (feels/felt) (dizzy/faint/suicidal/
        hopeless), anxious, incontinen*, hot flushes, (tremor/tremors), sepsis, coma, (intensive
        care), icu, er visit, biopsy, mri, ct scan, mastectomy, hysterectomy, caesarean, c
        section, (hip/knee/shoulder) replacement, hives, rash, (swells/swelling) up, (gets/get)
        sick from, (doesn t/does not/don t/can t) (tolerate/digest), nausea, vomit*, nosebleed*,
        allergic shock, epipen, (hearing/eyesight/vision) (loss/problems), dietician, dietitian,
        podiatrist, dermatolog*, urolog*, ultrasound, x ray, blood sample
        """,
        seems="""
        sick of, addicted to, cancer screening, (study/studies/studying/thesis/paper/book/
        research/article/film/novel/documentary/museum) … (on/about/of/into) … (cancer/
        depression/hospital/autism/epilepsy/health/pregnancy/addiction/dementia/surgery/
        surgeries/stroke), copy paste fever, cabin fever, gold fever, stroke of (luck/genius),
        heart attack when, great depression, economic depression, (work/works/working/worked/
        job/shift/volunteers/volunteer) … (hospital/psychiatry/rehab/dialysis/therapist/
        surgery), (is/am/as/became/was) (a/an) (psychiatrist/psychotherapist/therapist/
        cardiologist/oncologist/neurologist/gynaecologist/gynecologist/counsellor/counselor),
        (server/build/app/bug/network/printer/issue/incident/outage) … diagnos*, diagnos* …
        (bug/server/network/build/issue/outage/problem/engine/query), chronic(ally) (late/busy),
        syndrome fan, allergic to (meetings/mondays/paperwork/nonsense), blind (tasting/test/
        spot/review/date), disabled (the/this/that/in/by/for/feature/account), is disabled in,
        software for hospitals, hospital software, symptoms of the (bug/outage), pregnant pause,
        sober (design/style/tone), infection of the (server/computer/laptop), (allergy/
        allergies/diagnosis/health/medication/symptom/symptoms/disease) (table/column/field/
        module/form/page/tracker/data/dataset/api), (kidney/pinto/black) bean*, liver pate,
        seizure of, stitches (in/of) (the/a) (scarf/jumper/sleeve), cast (of/iron/member),
        (documentation/firmware/software/code/driver/app/chip/sensor*) … (insulin/pump/
        pacemaker/dialysis/hearing), insulin pump s, anxious to, app for (glasses), mri
        (software/images/dataset), pills for erectile, allergic to … (meetings/mondays/
        paperwork/small talk)
        """,
    ),
    SensitiveArea.RELIGION: Wording(
        tells="""
        catholic*, protestant*, lutheran*, methodist*, baptist*, anglican*, orthodox (christian/
        jew/church), evangelical*, christian, christians, christianity, mormon*, jehovah*,
        quaker*, pentecostal*, adventist*, muslim*, islam, sunni, shia, ismaili, jewish, jew,
        jews, judaism, hindu*, buddhis*, sikh*, jain, baha i, taoist*, shinto*, pagan*, wiccan*,
        scientolog*, atheis*, agnostic, (non religious/nonreligious/not religious/deeply
        religious/religious), devout, god fearing, born again, bapti(sed/zed/sm/zing), convert*
        to (islam/judaism/christianity/catholicism/buddhism/hinduism), (bar/bat) mitzvah, first
        communion, confirmation class, (goes/go/going/went) to (church/mass/mosque/synagogue/
        temple), attends (church/mass/mosque/synagogue/temple), (church/mosque/synagogue)
        (every/each/on), pray*, ramadan, lent, yom kippur, shabbat, sabbath, kosher, halal,
        hijab, headscarf, (believe/believes/believed/believing) in (god/jesus/allah/an
        afterlife), faith, rosary, bible (study/group/class/reading), reads the (bible/quran/
        torah), quran, left the church, lost (his/her/my/their) faith, parish council, our
        parish, sings in the church choir, imam, rabbi, hajj, pilgrimage to mecca, (is/became/
        as) a (priest/nun/monk/pastor/vicar/deacon), (believe/believes/believed/believing) in …
        (god/gods/higher power), (god/faith) … (important to/means), convert, (raised/grew up)
        (in a/as a/) (catholic/protestant/muslim/jewish/hindu/religious/christian), preparing
        for (her/his/my/their) (confirmation/baptism/communion), say grace, says grace, shrine,
        altar at home, hanukkah, passover, diwali, eid, rosh hashanah, ganesha, krishna, temple
        (on/every/each), congregation, sermon*, (gurdwara), gospel (choir), missionary, sunday
        school, karma, reincarnation, fasting, fasts (during/for/on), (lights/light) … candles …
        (church/shabbat/friday), spiritual*, clergy, church (elder/member/group/youth),
        godparent*, tith*, meditat* … (buddh*/monastery), seminary, theolog*, (our/my/his/her/
        their) (church/mosque/synagogue/parish/temple), youth group, religious reasons
        """,
        seems="""
        christian (bale/dior/andersen/müller/and/is/was/has/will/moved/works/from), in good
        faith, good faith, bad faith, faith in the (team/project/process/market), kosher salt,
        religious about (tests/testing/backups), religiously, (visit*/saw/tour/photograph*) …
        (cathedral/church/temple/mosque/synagogue/abbey), church street, (book/article/novel/
        documentary/film/thesis/course/lecture/paper/exhibition/history/historian) … (on/about/
        of) … (islam/buddhism/buddhist/judaism/christianity/hinduism/religion/pope/catholic/
        protestant/monk/jewish/muslim), agnostic (about/api/framework/design), (database/cloud/
        vendor/platform/language/framework/tool) agnostic, praying mantis, tech evangelis*,
        prayer flags, (called/named/is called/name is/friend) christian, christian (name), lent
        (me/him/her/us/them/it/the/a/my/his), fasting (window/blood), intermittent fasting,
        shrine visited, karma (points/yoga), (museum/gallery/exhibition/festival) … (buddhist/
        christian/islamic/jewish/religious/hindu/catholic), (buddhist/christian/islamic/jewish/
        hindu) (art/music/architecture)
        """,
    ),
    SensitiveArea.POLITICS: Wording(
        tells="""
        (vote/votes/voted/voting) … (for the/labour/labor/tory/tories/conservative/
        conservatives/republican/republicans/democrat/democrats/green/greens/libertarian/
        liberal/left/right/leave/remain/brexit/trump/biden/harris/obama/corbyn/starmer/sunak/
        election/elections/referendum/party), (labour/labor/tory/conservative/republican/
        democratic/green/liberal/socialist/communist/libertarian/reform) (party/voter/supporter/
        member/candidate/activist), (supports/support/supporting/backs/back/donates to/donate
        to/donated to/canvass*/campaign*/campaigns/volunteered/volunteers/likes) … (labour/
        tories/republicans/democrats/greens/liberals/party/trump/biden/candidate/snp/referendum/
        brexit/bernie/independence), (is/am/are/as/was/a/lifelong/staunch/registered/committed/
        convinced/proud) (conservative/socialist/communist/marxist/anarchist/libertarian/
        monarchist/republican/democrat/liberal/feminist/nationalist/fascist/leftist/progressive/
        tory), left wing, right wing, far (left/right), (trade/labor/labour) union, (union/
        workers union) (member/rep/steward), shop steward, (joined/member of/active in/belongs
        to/organises for/organizes for) … (union/unison/unite), party member*, political (views/
        opinion/opinions/party/activist/beliefs), politically, (marched/march/marching/
        demonstrat*/protest*/rally/rallied) … (against/for/government/climate/war/law/police),
        (runs/running/ran/stands/standing) for (council/mayor/parliament/congress/senate/office/
        mp), (against/opposes/oppose/opposed to/supports/favours/favors/should abolish/should
        raise) … (immigration/abortion/brexit/gun control/death penalty/wealth tax/inheritance
        tax/nuclear power/government), pro (choice/life/brexit/eu), maga, antifa, black lives
        matter, extinction rebellion, went on strike, (can t stand/cannot stand/hates/hate/
        loves/love/admires/admire/despises/likes/dislikes/trusts/distrusts/trust/distrust/
        against/voted out) … (trump/biden/harris/obama/corbyn/starmer/sunak/farage/putin/
        government/politicians/parliament/brexit/party/tories/republicans/democrats), (lean/
        leans/leaning) (left/right), (left/right) leaning, (on the) (left/right) politically,
        (believes/believe/thinks/think) … (government/taxes/immigration/immigrants/borders/
        capitalism/socialism), (attended/took part in/went to/joined/organised/organized) …
        (march/protest/demonstration/rally/strike), petition (against/for), (councillor/
        councilwoman/mp) for, momentum member, (signed/signs) a petition, boycott*, (knocked on
        doors/leaflet*/canvass*/campaign*) , (for labour/tory/lib dem/liberal democrat/liberal
        democrats/green party/conservatives/republicans/democrats/snp/ukip/reform uk), union
        (organiser/organizer/rep/official/meeting/dues), (branch/chapter) of the (party/labour/
        liberal/conservative/democratic/republican/union), (thinks/believes/says/wants/think/
        believe/want) … (taxes/tax/rich/welfare/borders/immigrants/refugees/police/monarchy/
        republic/government/minister/president) … (should/must/ought/too/double/abolish*/higher/
        lower/resign/out/useless/corrupt), (should be) (abolished/nationalised/nationalized/
        banned), activist*, (left/right) of centre, (climate/pride/peace/anti war/women s)
        march, strike, picket*, elected (councillor/mayor/representative), populist*, (runs/
        running/ran) for (city/town/county/school/state/local/the), (immigration/refugees/
        migrants/abortion/gun laws/gun control/welfare/climate policy/nato/capital punishment) …
        (must/should/needs to/has to/ought), (pro/anti) (immigration/abortion/gun/war/vaccine)
        """,
        seems="""
        office politics, political science, politics teacher, politics of, (vote*/voting) on,
        (voted/vote) for (the/a) (logo/name/film/movie/restaurant/winner/pizza/venue/song/
        design/date/title/photo/picnic/best), birthday party, liberal (street/arts/use),
        conservative (estimate/estimates/default/defaults/guess/cache/colours/colors/dresser),
        left wing of the, right wing of the (building/hotel), green (party dress/tea), pull
        request party, (third/interested) party, (book/film/novel/article/documentary/history) …
        (about/on/of) … (party/union/election/war/vote/revolution/socialist/communist), student
        union building, european union, credit union, type union, union (type/types/square/
        station/jack), progressive (web/enhancement/overload/rock/lenses), democrat and, rally
        car, protest song, strike (through/price/rate/out), lightning strike, strike a (balance/
        chord/deal), running for the (bus/train/door)
        """,
    ),
    SensitiveArea.SEXUALITY: Wording(
        tells="""
        gay, lesbian*, bisexual*, homosexual*, heterosexual*, pansexual*, asexual*, demisexual*,
        (is/am/as/identifies as/identify as/are/s) (bi/queer/straight/trans/gender fluid/
        intersex), queer, lgbt*, transgender*, transsexual*, trans (man/woman/men/women/boy/
        girl/person/guy), non binary, nonbinary, genderqueer, genderfluid, (came/come/coming/
        comes) out (as/to), in the closet, closeted, sexual orientation, gender (identity/
        dysphoria/transition/reassignment), hormone therapy, (started/before/since/after) …
        transition, pronouns are, sex life, (having/have/had/has/no) sex, (having/has/had/have)
        an affair, one night stand*, sexual*, (attracted to/likes/dates/date/dating/sleeps with/
        sleep with/slept with/fancies/into) … (men/women/guys/girls/both sexes), polyamor*, open
        (relationship/marriage), kink*, fetish*, bdsm, porn*, libido, erectile, impoten(t/ce),
        viagra, contracepti*, birth control, condoms, on the pill, std, sti, tinder hookup*,
        hook* up with, virgin, grindr, same sex (partner/couple/marriage), (her/his) (wife/
        husband) … (both women/both men), (came/come/comes) out (at/when/last/after) (<18>/
        twenty/thirty/forty/he/she/i/year/school), (sleeping/slept) with, (his/my) (boyfriend/
        husband) and he, (has a/with his/and his) husband … he, (her/my) (girlfriend/wife) and
        she, top surgery, drag queen, cruising, swinger*, masturbat*, escort, pronouns, (that/i
        am/i m/he is/she is/is) (bi/gay/trans/queer), secret relationship, (cheat*) on (his/her/
        their/my/the) (wife/husband/partner/girlfriend/boyfriend), (affair) with, (crush on)
        (another/a) (man/woman/girl/guy), (hooks up/hooked up), sexting, threesome*, (her wife/
        his husband), (kissed) a (girl/boy/man/woman), ex (boyfriend/girlfriend) … (he/she) ,
        intimacy, impregnat*, the pill … contracepti*, std test, ovulat*, period (pain/cramps/is
        late), is transitioning and, transitioning (from/to) (male/female), goes by (he/she/
        they), sex reassignment, is transitioning (this/since)
        """,
        seems="""
        straight (home/line/to/after/ahead/away/forward/from/into), (book/film/movie/novel/
        documentary/article/thesis/history/course/lecture/paper/exhibition/festival) … (about/
        on/of) … (gay/sexuality/sexual/queer/lgbt*/homosexual*/trans/lesbian/porn), gay rights
        (film/history/movement), bi weekly, bi monthly, virgin (atlantic/media/olive/mary/
        islands/mojito), sexual reproduction of, trans (siberian/atlantic/fat/fats), asexual
        reproduction, come out (to play/on), queer eye, gay (street/talese/lussac), coming out
        (on/in/next/soon), pronouns (in/of) (german/french/spanish/latin/the), (likes/like) (men
        s/women s), men s (shoes/shirts/clothes/jackets/watches), women s (shoes/clothes/
        football/magazine), pronoun* chapter
        """,
    ),
    SensitiveArea.FINANCES: Wording(
        tells="""
        salary, (earns/earn/earning/makes/make/paid/income of/pension of) … <money>, income,
        wage, wages, (gross/net) … (year/month/pay), bonus of, net worth, savings, life savings,
        (saved/saving) … <money>, <money> … (in savings/in debt/saved/in the bank/on the loan/a
        year/per year/a month/per month/an hour), debt, debts, (owe/owes/owed/owing) … <money>,
        (owe/owes/owed) … (taxes/back rent/the bank/the tax), (student/car/personal/bank/home)
        loan*, loan, loans, mortgage*, bankrupt*, insolven*, overdraft, overdrawn, credit
        (score/card debt/rating/history/limit), maxed out, (bank/savings/checking/current)
        (account/balance), broke until, (is/am/are/completely) broke, (behind/late) (on/with) …
        (rent/mortgage/payments/bills), (can t/cannot/can not/couldn t/could not/struggl*) …
        (afford/pay/make ends meet), inherit* … (<money>/million/half/money/fortune/house/flat),
        inheritance, (stock/share/bond/investment) portfolio, portfolio of (shares/stocks/
        funds), invest(s/ed/) … (<money>/funds/shares/stocks/bitcoin/crypto/etfs), (owns/own/
        holds/hold/bought) … (shares/stocks/bitcoin/crypto/etfs), (on/gets/receives/claims/
        claiming/receive/get) … (welfare/benefits/food stamps/unemployment/universal credit/
        disability allowance/alimony/child support), alimony, tax (return/refund/debt/bracket/
        bill), (lost/won/gambled/gambling) … <money>, 401k, ira, pension (pot/fund/plan/pays),
        retirement (fund/savings/account), millionaire, (repay/repays/repaying/paying off/pay
        off/pays off), debt collector*, bailiff*, garnish*, living paycheck, financial (trouble/
        troubles/problems/difficulties/situation), <money> … (gambling/lottery/casino/debt/
        mortgage), (payday) loan, (earn/earns/earning) (well/badly/little/minimum), minimum
        wage, (poor/rich/wealthy) family, trust fund, (spends/spend) more than … earn*, (save/
        saves) <money>, food bank, (child) support, eviction, evicted, repossess*, foreclos*,
        pay rise, raise of, (paid off) … (debt/loan/mortgage/house), stock options, dividends,
        tax evasion, owes the (irs/taxman), pension, pay back, (pay/pays/paying) back …
        (<money>/parents/bank/loan/brother/sister/friend), remortgag*, (put/puts/putting) (all/
        most) (her/his/my/their) money, (all/most of) (her/his/my/their) money (into/in/on),
        (borrow*) … (<money>/money/from), (tax) (arrears/debts), (short of/out of/lost all)
        (money/cash), (cash) strapped, (living on) … (benefits/credit/savings/pension), (money)
        (problems/worries/troubles/is tight), (rent/mortgage) (arrears/debt), (lent/lend) …
        <money>, (take home/takes home) , payslip, redundancy (pay/payment), (worth) <money>,
        (house/flat) … underwater, sold (the/his/her/our/my) house to (pay/cover), (grand/
        thousand/k/<money>) … (fund/funds/account/shares/stocks), index fund*, mutual fund*,
        (annual/monthly) (bonus/income/rent), crypto wallet, (lives/live/living) off
        """,
        seems="""
        technical debt, tech debt, (company/companies/firm/startup/government/country/national/
        our team) … (debt/revenue/income/loan/savings), savings of (time/space/memory), time
        savings, (salary/income/mortgage/loan/tax/debt/portfolio) (app/calculator/table/column/
        field/module/api/page/data/parser/software/database/adviser/advisor), (broke/breaks)
        the, inheritance (in/of/tree/chain/hierarchy/diagram/between), class* inheritance,
        multiple inheritance, prefer* composition … inheritance, design portfolio, portfolio
        (site/website), (work/works/worked/job/writes/write/wrote) … (mortgage/loan/loans/
        savings/tax/debt/pension) (bank/department/team/office/software/app/law), library loan,
        on loan, loan word*, invest* … (time/effort/energy/learning), a mortgage broker,
        portfolio … (photographs/photos/drawings), inherited (the/a) (codebase/project/recipe/
        plant/cat/dog/bug), (film/book/novel/article) … (about/on) … (bankruptcy/debt/loans/
        poverty), loan (period/desk/words), pension (law/reform/age), financially (supported by
        the project), (salary/income/pension/loan) (survey/statistics/band/range/benchmark)
        (tool/data/app/site/), borrow* (a/the/my/his/her/our) (book/bike/car/ladder/pen/charger)
        """,
    ),
    SensitiveArea.MINORS: Wording(
        tells="""
        <18> year old, <18> years old, <18> yo, <18> months old, <18> weeks old, year old (son/
        daughter/boy/girl/child/kid/niece/nephew/brother/sister/grandson/granddaughter) … <18>,
        (son/daughter/boy/girl/child/kid/niece/nephew/grandson/granddaughter/stepson/
        stepdaughter/godson/goddaughter/brother/sister/twins/triplets/children/kids/youngest/
        eldest/oldest) … (is/are/turns/turned/turning/aged/was) (now/just/almost/only/about/)
        <18>, (son/daughter/child/children/kids/kid/twins/youngest/oldest/eldest/niece/nephew/
        boy/boys/girl/girls/grandson/granddaughter/grandchildren/stepson/stepdaughter/brother/
        sister) … (school/kindergarten/nursery/daycare/day care/preschool/grade/first grade/
        grader/creche/playgroup/childminder/babysitter/pediatrician/paediatrician/teething/
        bedtime/diapers/nappies/potty/homework/crib/cot/classmate/classmates/teacher/teachers/
        summer camp/playground/year one/tooth fairy), toddler*, newborn*, (our/my/his/her/their/
        s/the/a/new) (baby/babies/infant/preschooler/teenager/teen/little (one/boy/girl)), baby
        (boy/girl/son/daughter/sister/brother), (small/young/little/underage/foster/school age)
        (children/child/kids/son/daughter/boy/girl), (my/our/his/her/their/s) <18> year old,
        underage, (custody/custodial), (breastfeed*/breast feed*), (his/her/their/my/our) (son/
        daughter) s (school/teacher/class/birthday party/nursery), kindergartner, (babysits/
        babysitting) for, <comma> <18> <comma>, teenage* (son/daughter/kids/children/boy/girl/
        sister/brother), (son/daughter/niece/nephew/grandson/granddaughter/child/kid/boy/girl) …
        <18> years old, (small/young/little/school) (children/kids), (pupil/schoolboy/
        schoolgirl), (my/our/her/his/their) (son/daughter/kids/children) … (crawl*/walking/first
        words/nap/naps/bottle/stroller/pram/cartoon*/exam/exams/high school/middle school/
        elementary), (first/second/third/fourth/fifth/sixth/seventh/eighth/ninth/tenth) grade*,
        (turns/turned/turning) <18>, is <18> and (has/loves/likes/is/afraid/scared/goes/already/
        plays/cannot/can/wants), (in) year (<18>), year <18> (at/pupil/student/class/), (first/
        lost/loose/baby) (tooth/teeth), (our/my/his/her/their/the) (girl/boy/little girl/little
        boy) (just/is/has/started/starts/loves/lost), (playdate/play date/sleepover*/school run/
        school trip/pocket money/school bus/bedtime story/tantrum*/potty), (grandson/
        granddaughter/nephew/niece/stepson/godson) … year <18>, (junior high/middle school/
        elementary school/grade school/high school) (student/pupil/sophomore/freshman), (is/are)
        still in school, freshman in high school, gcses, sats, (boys/girls/kids/children/sons/
        daughters/ones) are <18> and <18>, (suspended/expelled) from school, have a baby, had a
        baby, having a baby, (son/daughter) … (grade/grades/report card/teacher)
        """,
        seems="""
        baby (steps/step/grand piano/carrots/spinach/boomer*/blue), child (process/processes/
        node/nodes/class/classes/theme/component/element/proof/s play), (when/as) (i/he/she/
        they/we) (was/were) (a/an/) (child/kid/teenager/boy/girl/baby/toddler/young), as a
        (child/kid/teenager/boy/girl/baby), kid brother, kid sister, (children/child/kids) s
        (book/books/author/literature/illustrator/hospital/museum), childrens (book/books),
        children s, (dog/puppy/cat/kitten/horse/car/laptop/house/company/codebase/phone/bike/
        whisky/parrot/startup/building/app/server/project/repo/computer/wine/rabbit/printer) …
        <18> (year/years/month/months/weeks) old, <18> (year/years/month/months/week/weeks) old
        (dog/puppy/cat/kitten/horse/car/laptop/house/company/codebase/phone/bike/whisky/startup/
        bug/app/server/project/computer/printer/wine), (is/am/as/a/an) … (school/kindergarten/
        nursery/preschool) teacher, (work/works/working/worked/teaches/teach/taught) … (school/
        kindergarten/nursery/daycare), (son/daughter) … (work/works/is/studies/university) …
        (lawyer/doctor/engineer/architect/university/college/company/married), <18> years ago,
        <18> hours old, our baby is the (project/product), project is (my/our/his/her) baby,
        (when/as/since/until) (i/he/she/they/we) (was/were) … (child/kid/teenager/boy/girl/baby/
        toddler/young/<18>), lost (a/the/our/her/their) baby, (expecting/expects) (a/their/
        another) (baby/child), shower gel baby, (code/codebase/company/tradition/server/law/
        system/tree/bridge/framework) is <18> years
        """,
    ),
}
