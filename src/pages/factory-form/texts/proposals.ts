import type { InEveryFormLocale } from '../../locale.js';

export type ProposalField = 'materialType' | 'name' | 'contactEmail' | 'country';

interface ProposalTexts {
  readonly title: string;
  readonly why: (brand: string) => string;
  readonly fields: Readonly<Record<ProposalField, { readonly label: string; readonly help: string }>>;
  readonly errors: Readonly<Record<ProposalField, string>>;
  readonly choose: string;
  readonly propose: string;
  /** There are as many as there can be. */
  readonly full: string;
  readonly states: Readonly<Record<'proposed' | 'accepted' | 'declined', string>>;
  readonly proposedTitle: string;
  readonly proposed: (brand: string) => string;
}

/** The part of the factory's form that names suppliers behind materials. */
export const PROPOSAL_TEXTS: InEveryFormLocale<ProposalTexts> = {
  en: {
    title: 'Who makes this material?',
    why: (brand) =>
      `If a material comes from another company, such as a spinning mill or a weaving mill, you can name it here. ${brand} decides whether to ask it too. Optional.`,
    fields: {
      materialType: { label: 'Material', help: 'The one that comes from this company.' },
      name: { label: 'Company', help: 'Its name.' },
      contactEmail: { label: 'Email of a contact there', help: 'The request would go to this address.' },
      country: { label: 'Country of the company', help: 'Where the material is made.' },
    },
    errors: {
      materialType: 'Choose one of the materials.',
      name: 'Write the name of the company, 200 characters at most.',
      contactEmail: 'Write the company’s own address, such as name@example.com; not yours and not the brand’s.',
      country: 'Choose a country.',
    },
    choose: 'Please choose',
    propose: 'Name this supplier',
    full: 'More suppliers cannot be named with this request.',
    states: {
      proposed: 'The brand has not decided yet.',
      accepted: 'Accepted: the brand asks this supplier too.',
      declined: 'The brand does not ask this supplier.',
    },
    proposedTitle: 'The supplier has been named',
    proposed: (brand) =>
      `${brand} sees it now. The figures in the form have not been submitted yet; everything you typed is still here.`,
  },
  de: {
    title: 'Wer stellt dieses Material her?',
    why: (brand) =>
      `Kommt ein Material von einem anderen Betrieb, etwa einer Spinnerei oder Weberei, können Sie ihn hier nennen. ${brand} entscheidet, ob auch er gefragt wird. Freiwillig.`,
    fields: {
      materialType: { label: 'Material', help: 'Das von diesem Betrieb kommt.' },
      name: { label: 'Betrieb', help: 'Sein Name.' },
      contactEmail: { label: 'E-Mail-Adresse dort', help: 'An diese Adresse ginge die Anfrage.' },
      country: { label: 'Land des Betriebs', help: 'Wo das Material entsteht.' },
    },
    errors: {
      materialType: 'Wählen Sie eines der Materialien.',
      name: 'Schreiben Sie den Namen des Betriebs, höchstens 200 Zeichen.',
      contactEmail:
        'Schreiben Sie die Adresse dieses Betriebs, etwa name@example.com; nicht Ihre und nicht die der Marke.',
      country: 'Wählen Sie ein Land.',
    },
    choose: 'Bitte wählen',
    propose: 'Diesen Lieferanten nennen',
    full: 'Mit dieser Anfrage lassen sich keine weiteren Lieferanten nennen.',
    states: {
      proposed: 'Die Marke hat noch nicht entschieden.',
      accepted: 'Angenommen: Die Marke fragt auch diesen Lieferanten.',
      declined: 'Die Marke fragt diesen Lieferanten nicht.',
    },
    proposedTitle: 'Der Lieferant ist genannt',
    proposed: (brand) =>
      `${brand} sieht ihn jetzt. Die Zahlen im Formular sind noch nicht eingereicht; was Sie eingegeben haben, steht noch da.`,
  },
  fr: {
    title: 'Qui fabrique cette matière ?',
    why: (brand) =>
      `Si une matière vient d’une autre entreprise, par exemple une filature ou un tissage, vous pouvez la nommer ici. ${brand} décide de l’interroger ou non. Facultatif.`,
    fields: {
      materialType: { label: 'Matière', help: 'Celle qui vient de cette entreprise.' },
      name: { label: 'Entreprise', help: 'Son nom.' },
      contactEmail: { label: 'E-mail d’un contact sur place', help: 'La demande irait à cette adresse.' },
      country: { label: 'Pays de l’entreprise', help: 'Où la matière est fabriquée.' },
    },
    errors: {
      materialType: 'Choisissez l’une des matières.',
      name: 'Écrivez le nom de l’entreprise, 200 caractères au plus.',
      contactEmail:
        'Écrivez l’adresse de cette entreprise, par exemple nom@example.com ; ni la vôtre ni celle de la marque.',
      country: 'Choisissez un pays.',
    },
    choose: 'Veuillez choisir',
    propose: 'Nommer ce fournisseur',
    full: 'Cette demande ne permet pas de nommer d’autres fournisseurs.',
    states: {
      proposed: 'La marque n’a pas encore décidé.',
      accepted: 'Accepté : la marque interroge aussi ce fournisseur.',
      declined: 'La marque n’interroge pas ce fournisseur.',
    },
    proposedTitle: 'Le fournisseur est nommé',
    proposed: (brand) =>
      `${brand} le voit maintenant. Les chiffres du formulaire ne sont pas encore envoyés ; tout ce que vous avez saisi est toujours là.`,
  },
  it: {
    title: 'Chi produce questo materiale?',
    why: (brand) =>
      `Se un materiale viene da un’altra azienda, per esempio una filatura o una tessitura, potete indicarla qui. ${brand} decide se interpellarla. Facoltativo.`,
    fields: {
      materialType: { label: 'Materiale', help: 'Quello che viene da questa azienda.' },
      name: { label: 'Azienda', help: 'Il suo nome.' },
      contactEmail: { label: 'E-mail di un contatto lì', help: 'La richiesta andrebbe a questo indirizzo.' },
      country: { label: 'Paese dell’azienda', help: 'Dove nasce il materiale.' },
    },
    errors: {
      materialType: 'Scegliete uno dei materiali.',
      name: 'Scrivete il nome dell’azienda, al massimo 200 caratteri.',
      contactEmail:
        'Scrivete l’indirizzo di questa azienda, per esempio nome@example.com; non il vostro né quello del marchio.',
      country: 'Scegliete un paese.',
    },
    choose: 'Scegliete',
    propose: 'Indica questo fornitore',
    full: 'Con questa richiesta non si possono indicare altri fornitori.',
    states: {
      proposed: 'Il marchio non ha ancora deciso.',
      accepted: 'Accettato: il marchio interpella anche questo fornitore.',
      declined: 'Il marchio non interpella questo fornitore.',
    },
    proposedTitle: 'Il fornitore è stato indicato',
    proposed: (brand) =>
      `${brand} ora lo vede. Le cifre nel modulo non sono ancora inviate; ciò che avete scritto è ancora qui.`,
  },
  es: {
    title: '¿Quién fabrica este material?',
    why: (brand) =>
      `Si un material procede de otra empresa, por ejemplo una hilandería o un taller de tejeduría, pueden indicarla aquí. ${brand} decide si también le pregunta. Opcional.`,
    fields: {
      materialType: { label: 'Material', help: 'El que procede de esta empresa.' },
      name: { label: 'Empresa', help: 'Su nombre.' },
      contactEmail: { label: 'Correo de un contacto allí', help: 'La solicitud iría a esta dirección.' },
      country: { label: 'País de la empresa', help: 'Dónde se fabrica el material.' },
    },
    errors: {
      materialType: 'Elijan uno de los materiales.',
      name: 'Escriban el nombre de la empresa, 200 caracteres como máximo.',
      contactEmail:
        'Escriban la dirección de esa empresa, por ejemplo nombre@example.com; ni la suya ni la de la marca.',
      country: 'Elijan un país.',
    },
    choose: 'Elijan',
    propose: 'Indicar este proveedor',
    full: 'Con esta solicitud no se pueden indicar más proveedores.',
    states: {
      proposed: 'La marca aún no ha decidido.',
      accepted: 'Aceptado: la marca pregunta también a este proveedor.',
      declined: 'La marca no pregunta a este proveedor.',
    },
    proposedTitle: 'El proveedor ha quedado indicado',
    proposed: (brand) =>
      `${brand} ya lo ve. Las cifras del formulario aún no se han enviado; todo lo que escribieron sigue aquí.`,
  },
  tr: {
    title: 'Bu malzemeyi kim üretiyor?',
    why: (brand) =>
      `Bir malzeme başka bir firmadan, örneğin bir iplik veya dokuma fabrikasından geliyorsa o firmayı burada belirtebilirsiniz. Ona da sorulup sorulmayacağına ${brand} karar verir. İsteğe bağlıdır.`,
    fields: {
      materialType: { label: 'Malzeme', help: 'Bu firmadan gelen malzeme.' },
      name: { label: 'Firma', help: 'Firmanın adı.' },
      contactEmail: { label: 'Oradaki bir ilgilinin e-postası', help: 'Talep bu adrese gönderilir.' },
      country: { label: 'Firmanın ülkesi', help: 'Malzemenin üretildiği yer.' },
    },
    errors: {
      materialType: 'Malzemelerden birini seçin.',
      name: 'Firmanın adını yazın, en fazla 200 karakter.',
      contactEmail:
        'Firmanın kendi adresini yazın, örneğin ad@example.com; sizin adresiniz veya markanın adresi olamaz.',
      country: 'Bir ülke seçin.',
    },
    choose: 'Lütfen seçin',
    propose: 'Bu tedarikçiyi bildir',
    full: 'Bu talep için daha fazla tedarikçi bildirilemez.',
    states: {
      proposed: 'Marka henüz karar vermedi.',
      accepted: 'Kabul edildi: marka bu tedarikçiye de soruyor.',
      declined: 'Marka bu tedarikçiye sormuyor.',
    },
    proposedTitle: 'Tedarikçi bildirildi',
    proposed: (brand) =>
      `${brand} artık onu görüyor. Formdaki veriler henüz gönderilmedi; yazdığınız her şey hâlâ burada.`,
  },
  zh: {
    title: '这种材料由谁生产？',
    why: (brand) =>
      `如果某种材料来自另一家公司，例如纺纱厂或织布厂，您可以在此填写该公司。是否也向其询问，由 ${brand} 决定。此项选填。`,
    fields: {
      materialType: { label: '材料', help: '由该公司供应的材料。' },
      name: { label: '公司', help: '公司名称。' },
      contactEmail: { label: '该公司联系人的电子邮箱', help: '请求将发送到此邮箱。' },
      country: { label: '公司所在国家', help: '材料的生产地。' },
    },
    errors: {
      materialType: '请选择其中一种材料。',
      name: '请填写公司名称，最多 200 个字符。',
      contactEmail: '请填写该公司自己的邮箱，例如 name@example.com；不能是贵方或品牌方的邮箱。',
      country: '请选择国家。',
    },
    choose: '请选择',
    propose: '提交该供应商',
    full: '此请求不能再添加更多供应商。',
    states: {
      proposed: '品牌方尚未决定。',
      accepted: '已接受：品牌方也会向该供应商询问。',
      declined: '品牌方不向该供应商询问。',
    },
    proposedTitle: '供应商信息已提交',
    proposed: (brand) => `${brand} 现在可以看到。表单中的数据尚未提交；您填写的内容都还在。`,
  },
  pt: {
    title: 'Quem produz este material?',
    why: (brand) =>
      `Se um material vem de outra empresa, por exemplo de uma fiação ou de uma tecelagem, pode indicá-la aqui. ${brand} decide se também lhe pede dados. Facultativo.`,
    fields: {
      materialType: { label: 'Material', help: 'O que vem desta empresa.' },
      name: { label: 'Empresa', help: 'O nome dela.' },
      contactEmail: {
        label: 'E-mail de um contacto nessa empresa',
        help: 'O pedido seria enviado para este endereço.',
      },
      country: { label: 'País da empresa', help: 'Onde o material é produzido.' },
    },
    errors: {
      materialType: 'Escolha um dos materiais.',
      name: 'Escreva o nome da empresa, com 200 caracteres no máximo.',
      contactEmail: 'Escreva o endereço dessa empresa, por exemplo nome@example.com; não o seu nem o da marca.',
      country: 'Escolha um país.',
    },
    choose: 'Escolha',
    propose: 'Indicar este fornecedor',
    full: 'Com este pedido não é possível indicar mais fornecedores.',
    states: {
      proposed: 'A marca ainda não decidiu.',
      accepted: 'Aceite: a marca também pede dados a este fornecedor.',
      declined: 'A marca não pede dados a este fornecedor.',
    },
    proposedTitle: 'O fornecedor foi indicado',
    proposed: (brand) =>
      `${brand} já o vê. Os dados do formulário ainda não foram enviados; tudo o que escreveu continua aqui.`,
  },
};
