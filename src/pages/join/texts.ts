import type { InEveryLocale } from '../locale.js';

interface JoinTexts {
  readonly title: (brand: string) => string;
  readonly heading: (brand: string) => string;
  readonly intro: (brand: string, factory: string) => string;
  readonly message: (brand: string) => string;
  readonly whatFor: string;
  readonly displayName: string;
  readonly displayNameHelp: string;
  readonly email: string;
  readonly emailHelp: string;
  readonly password: string;
  readonly passwordHelp: string;
  readonly join: string;
  readonly decline: string;
  readonly declineHelp: (brand: string) => string;
  readonly errorsTitle: string;
  readonly refused: { readonly displayName: string; readonly password: string };
  readonly joinedTitle: string;
  readonly joined: (email: string, brand: string) => string;
  readonly openRequests: string;
  readonly noRequests: string;
  readonly order: string;
  readonly answered: string;
  readonly linkedTitle: (brand: string) => string;
  readonly linked: (brand: string, factory: string) => string;
  readonly accept: string;
  readonly acceptHelp: (brand: string) => string;
  readonly shared: (brand: string) => string;
  readonly declinedTitle: string;
  readonly declined: (brand: string) => string;
  readonly invalidTitle: string;
  readonly invalid: string;
}

export const JOIN_TEXTS: InEveryLocale<JoinTexts> = {
  en: {
    title: (brand) => `Invitation from ${brand}`,
    heading: (brand) => `${brand} invites you`,
    intro: (brand, factory) =>
      `${brand} lists ${factory} as a supplier and would like to ask you for production data, for the product passports of what you make together.`,
    message: (brand) => `Message from ${brand}`,
    whatFor:
      'With an account you see all requests in one place. You can also answer each request by the link in its email, without an account.',
    displayName: 'Your name',
    displayNameHelp: 'So that the brand knows whom it works with.',
    email: 'Email',
    emailHelp: 'The address the invitation was sent to. It cannot be changed here.',
    password: 'Password',
    passwordHelp: '8 to 200 characters. A sentence is easier to remember than a word.',
    join: 'Create account and accept',
    decline: 'Decline',
    declineHelp: (brand) => `If you decline, the open requests of ${brand} close and it can send you no new ones.`,
    errorsTitle: 'Please look at these fields',
    refused: {
      displayName: 'Please write a name of at most 200 characters.',
      password: 'Please choose 8 to 200 characters.',
    },
    joinedTitle: 'Welcome, your account is ready',
    joined: (email, brand) => `You are now linked with ${brand}. Sign in with ${email}.`,
    openRequests: 'Requests that wait for your answer',
    noRequests: 'Nothing waits for you at the moment. You will get an email as soon as a request comes in.',
    order: 'Order',
    answered: 'answered',
    linkedTitle: (brand) => `You are linked with ${brand}`,
    linked: (brand, factory) =>
      `${brand} lists ${factory} as a supplier. Because you already have an account, you were linked at once.`,
    accept: 'Accept and share',
    acceptHelp: (brand) =>
      `${brand} then sees the products, facilities, certificates and suppliers that you keep in your account; before that, none of it.`,
    shared: (brand) => `${brand} sees what you keep in your account. On your page you can end that at any time.`,
    declinedTitle: 'You have declined',
    declined: (brand) =>
      `${brand} has been told and can no longer send you new requests. If that was a mistake, ask them to invite you again.`,
    invalidTitle: 'This invitation is not known',
    invalid:
      'The link may have been cut off, or the invitation has been used or replaced. Open the latest email again, or ask the brand to invite you once more.',
  },
  de: {
    title: (brand) => `Einladung von ${brand}`,
    heading: (brand) => `${brand} lädt Sie ein`,
    intro: (brand, factory) =>
      `${brand} führt ${factory} als Lieferanten und möchte Sie um Produktionsdaten bitten, für die Produktpässe dessen, was Sie gemeinsam herstellen.`,
    message: (brand) => `Nachricht von ${brand}`,
    whatFor:
      'Mit einem Konto sehen Sie alle Anfragen an einem Ort. Sie können jede Anfrage auch ohne Konto über den Link in ihrer E-Mail beantworten.',
    displayName: 'Ihr Name',
    displayNameHelp: 'Damit die Marke weiß, mit wem sie arbeitet.',
    email: 'E-Mail',
    emailHelp: 'Die Adresse, an die die Einladung ging. Sie lässt sich hier nicht ändern.',
    password: 'Passwort',
    passwordHelp: '8 bis 200 Zeichen. Ein Satz ist leichter zu merken als ein Wort.',
    join: 'Konto anlegen und annehmen',
    decline: 'Ablehnen',
    declineHelp: (brand) =>
      `Wenn Sie ablehnen, werden die offenen Anfragen von ${brand} geschlossen, und neue kann die Marke Ihnen nicht senden.`,
    errorsTitle: 'Bitte sehen Sie sich diese Felder an',
    refused: {
      displayName: 'Bitte schreiben Sie einen Namen mit höchstens 200 Zeichen.',
      password: 'Bitte wählen Sie 8 bis 200 Zeichen.',
    },
    joinedTitle: 'Willkommen, Ihr Konto ist bereit',
    joined: (email, brand) => `Sie sind jetzt mit ${brand} verbunden. Melden Sie sich mit ${email} an.`,
    openRequests: 'Anfragen, die auf Ihre Antwort warten',
    noRequests: 'Im Moment wartet nichts auf Sie. Sobald eine Anfrage kommt, erhalten Sie eine E-Mail.',
    order: 'Bestellung',
    answered: 'beantwortet',
    linkedTitle: (brand) => `Sie sind mit ${brand} verbunden`,
    linked: (brand, factory) =>
      `${brand} führt ${factory} als Lieferanten. Weil Sie schon ein Konto haben, wurden Sie gleich verbunden.`,
    accept: 'Annehmen und teilen',
    acceptHelp: (brand) =>
      `${brand} sieht dann die Produkte, Betriebe, Zertifikate und Lieferanten, die Sie in Ihrem Konto führen; vorher nichts davon.`,
    shared: (brand) =>
      `${brand} sieht, was Sie in Ihrem Konto führen. Auf Ihrer Seite können Sie das jederzeit beenden.`,
    declinedTitle: 'Sie haben abgelehnt',
    declined: (brand) =>
      `${brand} weiß Bescheid und kann Ihnen keine neuen Anfragen mehr senden. War das ein Versehen, bitten Sie um eine neue Einladung.`,
    invalidTitle: 'Diese Einladung ist nicht bekannt',
    invalid:
      'Vielleicht wurde der Link abgeschnitten, oder die Einladung wurde schon benutzt oder ersetzt. Öffnen Sie die neueste E-Mail noch einmal oder bitten Sie die Marke um eine neue Einladung.',
  },
  fr: {
    title: (brand) => `Invitation de ${brand}`,
    heading: (brand) => `${brand} vous invite`,
    intro: (brand, factory) =>
      `${brand} compte ${factory} parmi ses fournisseurs et souhaite vous demander des données de production, pour les passeports des produits que vous fabriquez ensemble.`,
    message: (brand) => `Message de ${brand}`,
    whatFor:
      'Avec un compte, vous voyez toutes les demandes au même endroit. Vous pouvez aussi répondre à chaque demande par le lien de son e-mail, sans compte.',
    displayName: 'Votre nom',
    displayNameHelp: 'Pour que la marque sache avec qui elle travaille.',
    email: 'E-mail',
    emailHelp: 'L’adresse à laquelle l’invitation a été envoyée. Elle ne peut pas être changée ici.',
    password: 'Mot de passe',
    passwordHelp: 'De 8 à 200 caractères. Une phrase se retient mieux qu’un mot.',
    join: 'Créer le compte et accepter',
    decline: 'Refuser',
    declineHelp: (brand) =>
      `Si vous refusez, les demandes en cours de ${brand} se ferment et la marque ne pourra plus vous en envoyer.`,
    errorsTitle: 'Veuillez revoir ces champs',
    refused: {
      displayName: 'Veuillez écrire un nom de 200 caractères au plus.',
      password: 'Veuillez choisir de 8 à 200 caractères.',
    },
    joinedTitle: 'Bienvenue, votre compte est prêt',
    joined: (email, brand) => `Vous êtes maintenant lié à ${brand}. Connectez-vous avec ${email}.`,
    openRequests: 'Demandes qui attendent votre réponse',
    noRequests: 'Rien ne vous attend pour le moment. Vous recevrez un e-mail dès qu’une demande arrivera.',
    order: 'Commande',
    answered: 'répondue',
    linkedTitle: (brand) => `Vous êtes lié à ${brand}`,
    linked: (brand, factory) =>
      `${brand} compte ${factory} parmi ses fournisseurs. Comme vous avez déjà un compte, le lien a été établi tout de suite.`,
    accept: 'Accepter et partager',
    acceptHelp: (brand) =>
      `${brand} voit alors les produits, sites, certificats et fournisseurs que vous tenez dans votre compte ; avant cela, rien.`,
    shared: (brand) =>
      `${brand} voit ce que vous tenez dans votre compte. Vous pouvez y mettre fin à tout moment sur votre page.`,
    declinedTitle: 'Vous avez refusé',
    declined: (brand) =>
      `${brand} en est informée et ne peut plus vous envoyer de nouvelles demandes. Si c’était une erreur, demandez une nouvelle invitation.`,
    invalidTitle: 'Cette invitation n’est pas connue',
    invalid:
      'Le lien a peut-être été coupé, ou l’invitation a déjà été utilisée ou remplacée. Ouvrez à nouveau le dernier e-mail, ou demandez à la marque de vous réinviter.',
  },
  it: {
    title: (brand) => `Invito di ${brand}`,
    heading: (brand) => `${brand} vi invita`,
    intro: (brand, factory) =>
      `${brand} indica ${factory} tra i suoi fornitori e vorrebbe chiedervi dati di produzione, per i passaporti dei prodotti che realizzate insieme.`,
    message: (brand) => `Messaggio di ${brand}`,
    whatFor:
      'Con un account vedete tutte le richieste in un solo posto. Potete anche rispondere a ogni richiesta dal link della sua e-mail, senza account.',
    displayName: 'Il vostro nome',
    displayNameHelp: 'Perché il marchio sappia con chi lavora.',
    email: 'E-mail',
    emailHelp: 'L’indirizzo a cui è stato inviato l’invito. Qui non si può cambiare.',
    password: 'Password',
    passwordHelp: 'Da 8 a 200 caratteri. Una frase si ricorda meglio di una parola.',
    join: 'Crea l’account e accetta',
    decline: 'Rifiuta',
    declineHelp: (brand) =>
      `Se rifiutate, le richieste aperte di ${brand} si chiudono e il marchio non potrà inviarvene di nuove.`,
    errorsTitle: 'Controllate questi campi',
    refused: { displayName: 'Scriva un nome di al massimo 200 caratteri.', password: 'Scelga da 8 a 200 caratteri.' },
    joinedTitle: 'Benvenuti, l’account è pronto',
    joined: (email, brand) => `Ora siete collegati a ${brand}. Accedete con ${email}.`,
    openRequests: 'Richieste che attendono la vostra risposta',
    noRequests: 'Al momento non c’è nulla in attesa. Riceverete un’e-mail appena arriva una richiesta.',
    order: 'Ordine',
    answered: 'con risposta',
    linkedTitle: (brand) => `Siete collegati a ${brand}`,
    linked: (brand, factory) =>
      `${brand} indica ${factory} tra i suoi fornitori. Poiché avete già un account, siete stati collegati subito.`,
    accept: 'Accetta e condividi',
    acceptHelp: (brand) =>
      `${brand} vede allora i prodotti, gli stabilimenti, i certificati e i fornitori che tenete nel vostro account; prima, nulla.`,
    shared: (brand) =>
      `${brand} vede ciò che tenete nel vostro account. Potete porvi fine in ogni momento dalla vostra pagina.`,
    declinedTitle: 'Avete rifiutato',
    declined: (brand) =>
      `${brand} ne è informato e non può più inviarvi nuove richieste. Se è stato un errore, chiedete un nuovo invito.`,
    invalidTitle: 'Questo invito non è noto',
    invalid:
      'Forse il link è stato troncato, o l’invito è già stato usato o sostituito. Aprite di nuovo l’ultima e-mail o chiedete al marchio un nuovo invito.',
  },
  es: {
    title: (brand) => `Invitación de ${brand}`,
    heading: (brand) => `${brand} les invita`,
    intro: (brand, factory) =>
      `${brand} cuenta a ${factory} entre sus proveedores y quiere pedirles datos de producción, para los pasaportes de los productos que hacen juntos.`,
    message: (brand) => `Mensaje de ${brand}`,
    whatFor:
      'Con una cuenta ven todas las solicitudes en un solo lugar. También pueden responder a cada solicitud con el enlace de su correo, sin cuenta.',
    displayName: 'Su nombre',
    displayNameHelp: 'Para que la marca sepa con quién trabaja.',
    email: 'Correo electrónico',
    emailHelp: 'La dirección a la que se envió la invitación. Aquí no se puede cambiar.',
    password: 'Contraseña',
    passwordHelp: 'De 8 a 200 caracteres. Una frase se recuerda mejor que una palabra.',
    join: 'Crear la cuenta y aceptar',
    decline: 'Rechazar',
    declineHelp: (brand) =>
      `Si rechazan, las solicitudes abiertas de ${brand} se cierran y la marca ya no podrá enviarles otras.`,
    errorsTitle: 'Revisen estos campos',
    refused: {
      displayName: 'Escriba un nombre de 200 caracteres como máximo.',
      password: 'Elija entre 8 y 200 caracteres.',
    },
    joinedTitle: 'Les damos la bienvenida, la cuenta está lista',
    joined: (email, brand) => `Ahora están vinculados con ${brand}. Inicien sesión con ${email}.`,
    openRequests: 'Solicitudes que esperan su respuesta',
    noRequests: 'De momento no hay nada pendiente. Recibirán un correo en cuanto llegue una solicitud.',
    order: 'Pedido',
    answered: 'respondida',
    linkedTitle: (brand) => `Están vinculados con ${brand}`,
    linked: (brand, factory) =>
      `${brand} cuenta a ${factory} entre sus proveedores. Como ya tienen una cuenta, se les vinculó enseguida.`,
    accept: 'Aceptar y compartir',
    acceptHelp: (brand) =>
      `${brand} ve entonces los productos, instalaciones, certificados y proveedores que guardan en su cuenta; antes, nada.`,
    shared: (brand) => `${brand} ve lo que guardan en su cuenta. En su página pueden ponerle fin en cualquier momento.`,
    declinedTitle: 'Han rechazado la invitación',
    declined: (brand) =>
      `${brand} lo sabe y ya no puede enviarles nuevas solicitudes. Si fue un error, pidan otra invitación.`,
    invalidTitle: 'Esta invitación no se conoce',
    invalid:
      'Puede que el enlace se haya cortado, o que la invitación ya se haya usado o sustituido. Abran de nuevo el último correo o pidan a la marca otra invitación.',
  },
};
