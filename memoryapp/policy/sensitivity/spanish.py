"""Spanish words of the sensitive areas; `wordings` explains the notation."""

from memoryapp.policy.sensitivity.areas import SensitiveArea
from memoryapp.policy.sensitivity.wordings import Wording

SPANISH = {
    SensitiveArea.HEALTH: Wording(
        tells="""
        diagnos*, diagnostic*, alergi*, alérgic*, intoleran*, asma*, asmátic*, diabet*,
        diabétic*, insulina, epilep*, epiléptic*, migraña*, cáncer, tumor*, leucemia, quimio*,
        radioterapia, diálisis, artritis, artrosis, reuma*, esclerosis, parkinson, alzheimer,
        demencia, autis*, tdah, dislexi*, asperger, crohn, colitis, celíac*, celiaquía, sin
        gluten, lactosa, hepatitis, vih, sida, seropositiv*, covid, neumonía, bronquitis,
        anemi*, ansiedad, ansiolític*, ataque* de (pánico/ansiedad), depres*, deprimid*,
        antidepres*, bipolar*, esquizofren*, burnout, anorexi*, anoréxic*, bulimi*, trastorno*,
        suicid*, psiquiatr*, psiquiátric*, psicoterap*, psicólog*, (en/haciendo/hace/hago/va a/
        voy a) terapia, rehabilitación, alcohólic*, alcoholismo, drogadict*, adicción, embaraz*,
        aborto, abortó, aborté, infertil*, menopausia, endometriosis, infarto, ictus, derrame
        cerebral, hipertens*, tensión (alta/baja), colesterol, marcapasos, cardiopatía,
        trasplant*, amput*, silla de ruedas, discapacid*, minusválid*, paralít*, parapléj*,
        sord*, (es/soy/está/quedó) (ciego/ciega), audífono*, hernia*, (rompió/rompí/roto/rota/
        fractur*) … (pierna/brazo/cadera/muñeca/tobillo/pie/fémur/costilla), fractur*, operaron,
        operad* (de/del), (operación/intervención) (de/quirúrgica), opera* (de/del) … (corazón/
        rodilla/cadera/espalda/apéndice), cirugía, ingresad*, hospitaliz*, (en el/al/del)
        hospital, medicament*, medicación, medica, (tom*) … (pastilla*/antibiótic*/cortison*/
        ansiolític*/ibuprofeno/paracetamol/pildora*/mg), antibiótic*, anticoagulante*,
        inhalador, recet* … (pastillas/médico/tratamiento), baja (por/médica/laboral), de baja,
        enferm*, enfermedad*, padec*, sufr* de, crónic*, síndrome, infección, síntoma*,
        insomnio, eccema, psoriasis, fibromialgia, tiroides, ciática, escoliosis, grupo
        sanguíneo, dio positivo, fiebre, dolor de (espalda/cabeza), cardiólog*, oncólog*,
        neurólog*, ginecólog*, tratamiento (contra/de/para), apnea, gastritis, trombosis, salud
        mental, esper* (un/una/a su/gemelos/mellizos) (bebé/hijo/hija/niño/niña/primer/),
        (rompió/rompí/rompe) (el/la) , (casi/quedó/nació) (ciego/ciega), invidente, duele* (la/
        el/las/los) , fisioterap*, cálculos renales, obes*, sobrepeso, vacunad*, muletas,
        escayol*, prótesis, crisis (nerviosa/epiléptica), cuidados paliativos, médico … (dijo/
        recetó/encontró), desintoxic*, herpes, urticaria, acúfenos, glucosa, menisco, alzhéimer,
        párkinson, ansiedad, autolesi*, (evitar/sin/poca) (la/el/) (sal/gluten), (riñones/
        hígado/tiroides/colon/próstata/útero/retina), (dejó/dejé/dejar/dejado) de (beber/fumar/
        drogarse), clínica … (dejó/ingres*/salió), (no huelo/no huele/no oigo/no oye), recaíd*,
        recay*, (olvida) (todo/los nombres/las cosas), (duermo/duerme) (mal/poco), coma,
        cuidados intensivos, uci, biopsia, resonancia, tac, cesárea, (médico/doctor/doctora/
        traumatólogo) … (dice/prohíbe/recomienda), gafas, ortodoncia, falta de hierro, esguince,
        conmoción, temblor*, caries, cólico, (no tolera/no tolero/no digiere/no digiero),
        sarpullido, ronchas, náuseas, vómit*, radiografía, ecografía, análisis de sangre,
        dermatólog*, urólog*, prótesis de
        """,
        seems="""
        enferm* de (tanto/amor/celos/aburrimiento/nostalgia), (trabaja/trabajo/trabajan/
        prácticas/voluntari*) … (enfermer*/hospital/hospitales/psiquiátrico/clínica/urgencias),
        enfermer*, (es/soy/como/de/una/un) (psiquiatra/psicólogo/psicóloga/psicoterapeuta/
        cardiólog*/oncólog*/neurólog*/ginecólog*), (libro/ensayo/novela/película/artículo/tesis/
        documental/serie/exposición) … (sobre/de/del) … (cáncer/depresión/enfermedad*/demencia/
        autismo/epilepsia/adicci*/embarazo/salud), (servidor/error/red/impresora/motor/coche) …
        diagn*, diagn* … (red/servidor/error/fallo), fiebre del (oro/sábado), alérgic* (a las
        reuniones/a los lunes), embarazoso, cita a ciegas, sordo a, software para hospitales,
        (rompió/rompí/rompe) (el/la) (hielo/taza/ventana/silencio/móvil/pantalla/récord), gafas
        de (sol/realidad/buceo), (toma/tomo) la píldora, alérgic* a (las/los) (reuniones/lunes)
        """,
    ),
    SensitiveArea.RELIGION: Wording(
        tells="""
        católic*, protestante*, evangélic*, ortodox*, cristian*, bautist*, mormon*, mormón,
        testigo* de jehová, jehová, musulman*, musulmán, islam, islámic*, suní*, chií*, judí*,
        judaísmo, hindú*, hinduismo, budis*, sij, ate*, ateo, atea, agnóstic*, religios*,
        creyente*, devot*, practicante, bautiz*, bautismo, bautizo, (me/se) convirti*, (me/se)
        convertí, convert* al, primera comunión, confirmación … (iglesia/catequesis), misa, (va/
        voy/vamos/van) … (a la/al) … (iglesia/mezquita/sinagoga/templo/culto), rez*, reza, ora
        cada, oración, oraciones, rosario, ramadán, cuaresma, shabat, sabbat, kosher, halal,
        velo … (lleva/islámico), lleva velo, hiyab, (creo/cree/creen/creer/creemos/creía) … en
        (dios/jesús/alá), (perdió/perdí/perdido) la fe, fe (católica/cristiana/islámica),
        apostat*, parroqui*, (lee/leo) la biblia, biblia, corán, torá, imán … mezquita, rabino,
        coro de la iglesia, peregrin*, catequesis, catequista, (es/fue/soy/hermano es) (cura/
        monja/sacerdote/fraile/monje/pastor/obispo), cofradía, diezmo, (familia/criad*/educad*)
        … (católic*/religios*/judí*/musulman*/evangélic*), somos judíos, fe, janucá, pésaj,
        diwali, yom kipur, sacerdote*, párroco, sermón, reencarnación, ayuno, ayuna, ayunan,
        ayunar, espiritual*, teolog*, padrino, madrina, cerdo … (musulman*/judí*/religi*), grupo
        de oración, motivos religiosos
        """,
        seems="""
        gracias a dios, por dios, (libro/novela/película/artículo/tesis/exposición/documental/
        ensayo/noticia/curso) … (sobre/de/del) … (papa/islam/budismo/monj*/judaísmo/religi*/
        cristian*/judí*), (visit*/vi/fotograf*) … (iglesia/catedral/mezquita/sinagoga/
        monasterio/templo), cristiano (ronaldo/es/tiene), cristian (es/tiene/vive), cristina,
        religiosamente, ortodoxo con, ateneo, atento, atenta, atenas, aterriz*, atender,
        atiende*, ateli*, aterr*, atención, rezag*, rezum*, cura de, (llama/llamo/llamado)
        cristian*, fe de erratas, ayuno intermitente, en ayunas para, (museo/exposición/galería)
        … (budista/cristian*/islámic*/judí*), (arte/música/arquitectura) (budista/cristian*/
        islámic*/judí*/sacr*)
        """,
    ),
    SensitiveArea.POLITICS: Wording(
        tells="""
        (vota/voto/votó/voté/votamos/votan/votar/votado/votaré/vota por) … (psoe/pp/vox/podemos/
        sumar/ciudadanos/bildu/erc/junts/pnv/partido/izquierda/derecha/derechas/izquierdas/
        sánchez/feijóo/abascal/ayuso/milei/petro/amlo/elecciones/referéndum/blanco/verdes),
        (psoe/vox/partido popular/izquierda unida/esquerra/bildu/pnv/junts), (afiliad*/
        militant*/milita/milito/simpatizant*/miembro/votante*/activista) … (psoe/pp/vox/podemos/
        sumar/partido/sindicato/ugt/ccoo/comisiones/cnt/izquierda), sindica*, ugt, ccoo,
        comisiones obreras, (soy/es/considero/considera/declara/un/una) (muy/) (comunista/
        socialista/anarquista/fascista/monárquic*/republican*/liberal/conservador*/feminista/
        nacionalista/independentista*/marxista/peronista/chavista/progresista),
        independentista*, independentismo, (de) (derechas/izquierdas), (extrema) (derecha/
        izquierda), ultraderech*, centroizquierda, políticamente, (ideas/ideología/opiniones/
        convicciones/militancia/activista) polític*, (manifestación/manifestaciones/protest*/
        huelga/concentración) … (contra/por/gobierno/reforma/guerra), manifest* contra, (se
        presenta/me presento/candidat*/concejal*) … (concejal*/alcalde/alcaldesa/elecciones/
        municipales/partido/diputad*/lista), (contra/favor/opone/opongo) … (gobierno/
        inmigración/aborto/eutanasia/amnistía/monarquía/independencia), concejal*, (era/eran/
        somos/fue/éramos) (comunista*/socialista*/fascista*/franquista*/anarquista*/de
        izquierdas/de derechas/republican*), huelga (general/de/contra/por), (participé/
        participó/fui/fue/estuve) … (huelga/manifestación/protesta/marcha), (odia/odio/admira/
        apoya/apoyo/detesta) … (sánchez/feijóo/abascal/ayuso/trump/putin/milei/maduro/gobierno/
        vox), (firmó/firmé) … petición, (de) (izquierda/derecha) (de toda/desde/moderad*/
        radical), (piensa/pienso/cree/creo/opina) … (gobierno/ministr*/alcalde/políticos/
        presidente) … (incapaz/corrupt*/ladrones/dimit*/mal/bien), (fue/ha sido/eran)
        (socialista/comunista/franquista/anarquista), (recog*) … firmas, firmas (contra/para),
        en huelga, (delegad*/enlace) sindical*, (impuestos/ricos/inmigrantes/fronteras) …
        (debería*/deben/tienen que), (debería*) … (abolir*/prohib*), activista*, diputad*,
        (inmigración/inmigrantes/refugiados/aborto/nucleares) … (reducir/frenar/prohibir/hay
        que), (hay que/habría que) … (inmigración/impuestos/fronteras/aborto/monarquía), (se
        presenta/me presento) … (ayuntamiento/listas/senado/congreso), carné (del/de) (partido/
        pp/psoe/sindicato)
        """,
        seems="""
        ciencias políticas, el partido (empieza/de fútbol/fue/terminó/dura), partido de (fútbol/
        tenis/baloncesto/pádel), a la derecha (del/de), a la izquierda (del/de), vot* (qué/el
        nombre/la película/el logo/por el nombre), unión europea, (libro/novela/película/
        artículo/tesis/ensayo/documental) … (sobre/de/del) … (partido/sindicat*/elecciones/
        polític*/fascis*/comunis*/anarquis*), estimación conservadora, conservador* (estimación/
        cálculo/de museo), candidat* … (puesto/trabajo/beca), mano (derecha/izquierda), profesor
        de política, huelga decir, cámara de diputados de
        """,
    ),
    SensitiveArea.SEXUALITY: Wording(
        tells="""
        gay, gais, lesbian*, bisexual*, homosexual*, heterosexual*, pansexual*, asexual*, (es/
        soy/como) (bi/queer/hetero/trans/intersexual), queer, lgtb*, lgbt*, transgénero,
        transexual*, (hombre/mujer/chico/chica/persona/niño/niña) trans, no binari*, género
        fluido, (salió/salí/salir/salido) del armario, orientación sexual, identidad de género,
        (cambio/reasignación/transición) de (sexo/género), terapia hormonal, hormonándose,
        (empez*) la transición, vida sexual, (relaciones/relación/deseo/acoso) sexual*, sexual*,
        (tener/tienen/tiene/tuvo/tengo) sexo, sexo, (gusta/gustan/atrae/atraen) … (los hombres/
        las mujeres/los chicos/las chicas), atraíd* por, (tiene/tuvo/tengo) (un/una) (amante/
        aventura), infidelidad, infiel, poliamor*, (pareja/relación) abierta, fetich*, bdsm,
        porno*, libido, impoten*, viagra, anticoncepti*, (toma/tomo) la píldora, preservativ*,
        condones, virgen, grindr, (su marido y él/su mujer y ella), enfermedad* venére*, (me/le/
        nos/les) gustan … (las mujeres/los hombres/las chicas/los chicos), (su marido y él/su
        mujer y ella), infiel*, prostitu*, orgasm*, (relación/historia) secreta, pronombres,
        anticonceptivos, píldora, regla (atrasada/dolorosa), ovulación, enamorad* de (un hombre/
        una mujer/un chico/una chica)
        """,
        seems="""
        (libro/novela/película/artículo/tesis/ensayo/documental/reseña/curso/festival/charla) …
        (sobre/de/del) … (sexual*/homosexual*/gay/queer/lesbian*/transexual*/sexualidad),
        diversidad sexual, aceite de oliva virgen, oliva virgen, virgen extra, la virgen (de/
        del), lana virgen, transición (a/al/ecológica/energética/digital/hacia), sexto,
        reproducción asexual, pronombres (personales/en)
        """,
    ),
    SensitiveArea.FINANCES: Wording(
        tells="""
        sueldo, salario, nómina, (gana/gano/ganan/cobra/cobro/cobran/ganamos/ingresa/recibe) …
        <money>, <money> … (al mes/al año/netos/brutos/mensuales/ahorrados/de deuda/en el banco/
        en la cuenta/de ahorros), ingresos, renta mensual, ahorros, ahorrad*, (ahorr*) …
        <money>, deuda, deudas, endeudad*, (debo/debe/debemos/deben) … (<money>/al banco/
        hacienda/alquiler), préstamo*, crédito … (coche/personal/hipotecario/banco/<money>),
        hipoteca*, bancarrota, insolven*, (cuenta/tarjeta) … (números rojos/descubierto/límite/
        vacía/embargad*/saldo), números rojos, embarg*, morosidad, moros*, asnef, saldo de (mi/
        su/la) cuenta, hered* … (<money>/casa/dinero/millones/piso/fortuna), herencia,
        patrimonio de, invert* … (<money>/acciones/fondos/bitcoin/criptomoned*), (tiene/compró/
        compra/tengo) … acciones, bitcoin, criptomoned*, pensión (de/alimenticia), jubilación
        de, (cobra/recibe/cobro) … (paro/subsidio/ayuda/pensión/prestación), paro … (cobra/
        cobro), ingreso mínimo vital, renta mínima, (no puedo/no puede/no podemos/no llega*/no
        me llega/no le llega) … (pagar/fin de mes/alquiler/facturas/hipoteca), fin de mes,
        (debe/atrasad*) … (alquiler/mensualidades/cuotas), (perdió/perdí/ganó) … <money>,
        ludópata, ludopatía, lotería … (ganó/gané/tocó), arruinad*, sin un duro, problemas
        (económicos/financieros/de dinero), situación (económica/financiera), millonari*,
        hacienda … (debo/debe/reclama/multa), cuota del coche, finiquito, cuenta de ahorros,
        plan de pensiones, (perdió/perdí/ganó/apost*) … (casino/tragaperras/apuestas/póker),
        <money> … (casino/apuestas), llen* de deudas, gan* (bien/poco/mal), desahuci*, usurer*,
        cobr* (el paro/poco/bien/<money>), el paro, en paro, aval*, monotributo, aguinaldo,
        (pagando/paga/pago/pagar) … (crédito/letras/plazos/cuotas), (dinero) … (póker/casino/
        apuestas/tragaperras), (dinero) (no alcanza/no llega/justo), (prest*) … <money>,
        (devolver) … (<money>/dinero), finiquito, aumento de sueldo, indemnización de, (mil/
        <money>) … (fondo/fondos/cuenta/acciones/bolsa), fondo de inversión, (en) (un fondo/
        bolsa), vive de (la herencia/las rentas/su herencia)
        """,
        seems="""
        deuda técnica, (empresa/compañía/estado/gobierno/país/ayuntamiento) … (deuda*/ingresos/
        préstamo*/salario*), (ahorr*) … (tiempo/memoria/espacio/energía), (libro/novela/
        película/artículo/tesis/ensayo) … (sobre/de) … (deuda*/hipotecas/bitcoin/pobreza/
        crisis), (app/calculadora/tabla/columna/módulo) … (sueldos/nómina*/hipotecas/deudas/
        gastos/ingresos), préstamo … (biblioteca/libro), (biblioteca/libro) … préstamo, herencia
        (de clases/múltiple/en), hered* (el/la/un/una) (proyecto/código/receta/gato/planta),
        patrimonio de la humanidad, (trabaja/trabajo) … (hipotecas/préstamos/nóminas), sin
        embargo, aval* (científic*/por estudios), ganas
        """,
    ),
    SensitiveArea.MINORS: Wording(
        tells="""
        (hijo/hija/hijos/hijas/niñ*/nieto/nieta/niet*/sobrin*/mellizos/gemel*/herman*/mayor/
        menor/pequeñ*/chic*) … (tiene/tienen/cumple/cumplen/de/tenía/cumplió/con/hará) … <18>
        (años/meses/año/mes/semanas), (hijo/hija/hijos/hijas/niñ*/niet*/sobrin*/mellizos/gemel*/
        hermanito/hermanita/peque/pequeñ*) … (colegio/cole/escuela/primaria/guardería/instituto/
        infantil/eso/clase/profesora/maestra/deberes/pediatra/canguro/pañal*/chupete/parvulario/
        campamento/excursión/recreo), (colegio/guardería/escuela/instituto) … (hijo/hija/hijos/
        niñ*/niet*/sobrin*/mellizos), (el/un/mi/nuestro/su/la/una/al/del) bebé, bebé, bebés,
        recién nacid*, (mi/nuestra/nuestro/su/la/el/los/las/mis/sus/nuestros) (niña/niño/niños/
        niñas/peque/peques/nene/nena/adolescente/adolescentes), (hijo/hija/hijos/niñ*) (pequeñ*/
        menor de/menores), menor de edad, menores de edad, guardería, custodia, (dar/da/doy) el
        pecho, lactancia, amamant*, pediatra, carrito del bebé, quinceañer*, de <18> añitos,
        hijos en edad escolar, <comma> (de/) <18> (años/meses/) <comma>, (dos/tres/cuatro)
        (niños/niñas) , melliz*, (hijos/niños) pequeños, (primero/segundo/tercero/cuarto/quinto/
        sexto) de (primaria/eso/infantil), gatea, pañal*, (tiene/tienen/cumple/cumplen/cumplirá)
        <18> (años/meses/año/semanas), canguro, niñera, (los/las/mis/sus/nuestros) peques,
        (primero/segundo/tercero/cuarto/quinto/sexto) (a/b/c) , (de la/de) eso, paga semanal,
        diente de leche, ratoncito pérez, bachillerato, tienen <18> y <18> (años/meses),
        (expulsad*/expulsaron) del (colegio/instituto), (tener/tuvimos/tenido) un (bebé/hijo/
        niño)
        """,
        seems="""
        (de/cuando era/cuando yo era) (niño/niña/pequeñ*/niños/joven/adolescente), de niñ*,
        juego de niños, (cuentos/libros/teatro/canciones) (infantiles/para niños), infantil*,
        (perr*/gat*/coche/caballo/empresa/casa/cachorro/vino/portátil/móvil/bici/proyecto/
        servidor/moto/conejo/loro) … <18> (años/meses/año/mes/semanas), (es/soy/como/trabaja/
        trabajo) … (maestr*/profesor*/educador*) … (primaria/colegio/escuela/instituto/
        guardería/infantil), (trabaja/trabajo/enseña/enseño) … (colegio/escuela/instituto/
        guardería), hace <18> años, desde hace <18> años, escuela de (idiomas/baile/cocina/
        música), esper* (un/una/a su/gemelos/mellizos) (bebé/hijo/hija/niño/niña/primer/),
        (casa/coche/empresa/perro/gato/contrato/garantía/árbol/edificio/sistema/libro/tienda/
        película) … (tiene/cumple) <18> (años/meses), despues de la, canguro (salta/
        australiano), (código/ley/puente/tradición/sistema/servidor) tiene <18> (años/meses),
        bautiz*
        """,
    ),
}
