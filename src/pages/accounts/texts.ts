import type { InEveryLocale } from '../locale.js';

export interface AccountTexts {
  readonly signInTitle: string;
  readonly email: string;
  readonly password: string;
  readonly signInButton: string;
  readonly mailLinkButton: string;
  readonly mailLinkHelp: string;
  readonly forgotButton: string;
  readonly identityProvider: string;
  readonly refusals: Readonly<
    Record<
      'email_invalid' | 'bad_credentials' | 'rate_limited' | 'idp_rejected' | 'idp_unavailable' | 'email_not_verified',
      string
    >
  >;
  readonly mailedTitle: string;
  readonly mailed: (email: string) => string;
  readonly magicLinkTitle: string;
  readonly magicLink: (email: string) => string;
  readonly magicLinkButton: string;
  readonly verifyTitle: string;
  readonly verify: (email: string) => string;
  readonly verifyNotYou: string;
  readonly verifyButton: string;
  readonly verifiedTitle: string;
  readonly verified: string;
  readonly resetTitle: string;
  readonly reset: string;
  readonly newPassword: string;
  readonly passwordHelp: string;
  readonly passwordRefused: string;
  readonly resetButton: string;
  readonly passwordSetTitle: string;
  readonly passwordSet: string;
  readonly linkInvalidTitle: string;
  readonly linkInvalid: string;
  readonly toSignIn: string;
}

export const ACCOUNT_TEXTS: InEveryLocale<AccountTexts> = {
  en: {
    signInTitle: 'Sign in',
    email: 'Email',
    password: 'Password',
    signInButton: 'Sign in',
    mailLinkButton: 'Email me a sign-in link',
    mailLinkHelp: 'Works without a password. Type your email address above first.',
    forgotButton: 'I have forgotten my password',
    identityProvider: 'Sign in with your company account',
    refusals: {
      email_invalid: 'Please type your email address.',
      bad_credentials: 'Address or password is wrong.',
      rate_limited: 'Too many attempts. Please wait a quarter of an hour and try again.',
      idp_rejected: 'The sign-in with your company account did not succeed. Please try again.',
      idp_unavailable: 'Your company’s sign-in does not answer at the moment. Your password or a link by email works.',
      email_not_verified: 'Your company account has no confirmed email address. Please sign in another way.',
    },
    mailedTitle: 'Look into your inbox',
    mailed: (email) =>
      `If there is an account with ${email}, an email with a link is on its way. It works for a short time only.`,
    magicLinkTitle: 'Sign in',
    magicLink: (email) => `You are about to sign in as ${email}.`,
    magicLinkButton: 'Sign in now',
    verifyTitle: 'Confirm your email address',
    verify: (email) => `Is ${email} your address, and did you make the account?`,
    verifyNotYou: 'If you did not make an account, close this page.',
    verifyButton: 'Yes, confirm',
    verifiedTitle: 'Thank you, your address is confirmed',
    verified: 'You now see the requests that brands send to this address.',
    resetTitle: 'Set a new password',
    reset: 'Every device that is signed in will be signed out.',
    newPassword: 'New password',
    passwordHelp: '8 to 200 characters. A sentence is easier to remember than a word.',
    passwordRefused: 'The password needs 8 to 200 characters.',
    resetButton: 'Set password',
    passwordSetTitle: 'Your new password is set',
    passwordSet: 'Every device has been signed out. Sign in with the new password.',
    linkInvalidTitle: 'This link is no longer good',
    linkInvalid: 'It has been used, is too old, or is not complete. You can ask for a new one on the sign-in page.',
    toSignIn: 'Go to the sign-in page',
  },
  de: {
    signInTitle: 'Anmelden',
    email: 'E-Mail',
    password: 'Passwort',
    signInButton: 'Anmelden',
    mailLinkButton: 'Anmeldelink per E-Mail senden',
    mailLinkHelp: 'Geht ohne Passwort. Geben Sie zuerst oben Ihre E-Mail-Adresse ein.',
    forgotButton: 'Ich habe mein Passwort vergessen',
    identityProvider: 'Mit dem Firmenkonto anmelden',
    refusals: {
      email_invalid: 'Bitte geben Sie Ihre E-Mail-Adresse ein.',
      bad_credentials: 'Adresse oder Passwort ist falsch.',
      rate_limited: 'Zu viele Versuche. Bitte warten Sie eine Viertelstunde und versuchen Sie es noch einmal.',
      idp_rejected: 'Die Anmeldung mit dem Firmenkonto ist nicht gelungen. Bitte versuchen Sie es noch einmal.',
      idp_unavailable:
        'Die Anmeldung Ihrer Firma antwortet gerade nicht. Ihr Passwort oder ein Link per E-Mail funktioniert.',
      email_not_verified: 'Ihr Firmenkonto hat keine bestätigte E-Mail-Adresse. Bitte melden Sie sich anders an.',
    },
    mailedTitle: 'Sehen Sie in Ihr Postfach',
    mailed: (email) =>
      `Wenn es ein Konto mit ${email} gibt, ist eine E-Mail mit einem Link unterwegs. Er gilt nur kurze Zeit.`,
    magicLinkTitle: 'Anmelden',
    magicLink: (email) => `Sie melden sich als ${email} an.`,
    magicLinkButton: 'Jetzt anmelden',
    verifyTitle: 'E-Mail-Adresse bestätigen',
    verify: (email) => `Ist ${email} Ihre Adresse, und haben Sie das Konto angelegt?`,
    verifyNotYou: 'Wenn Sie kein Konto angelegt haben, schließen Sie diese Seite.',
    verifyButton: 'Ja, bestätigen',
    verifiedTitle: 'Danke, Ihre Adresse ist bestätigt',
    verified: 'Sie sehen jetzt die Anfragen, die Marken an diese Adresse senden.',
    resetTitle: 'Neues Passwort festlegen',
    reset: 'Alle angemeldeten Geräte werden abgemeldet.',
    newPassword: 'Neues Passwort',
    passwordHelp: '8 bis 200 Zeichen. Ein Satz ist leichter zu merken als ein Wort.',
    passwordRefused: 'Das Passwort braucht 8 bis 200 Zeichen.',
    resetButton: 'Passwort festlegen',
    passwordSetTitle: 'Ihr neues Passwort gilt',
    passwordSet: 'Alle Geräte sind abgemeldet. Melden Sie sich mit dem neuen Passwort an.',
    linkInvalidTitle: 'Dieser Link gilt nicht mehr',
    linkInvalid:
      'Er wurde schon benutzt, ist zu alt oder nicht vollständig. Auf der Anmeldeseite können Sie einen neuen anfordern.',
    toSignIn: 'Zur Anmeldeseite',
  },
  fr: {
    signInTitle: 'Se connecter',
    email: 'E-mail',
    password: 'Mot de passe',
    signInButton: 'Se connecter',
    mailLinkButton: 'M’envoyer un lien de connexion',
    mailLinkHelp: 'Sans mot de passe. Saisissez d’abord votre adresse e-mail ci-dessus.',
    forgotButton: 'J’ai oublié mon mot de passe',
    identityProvider: 'Se connecter avec le compte de l’entreprise',
    refusals: {
      email_invalid: 'Saisissez votre adresse e-mail.',
      bad_credentials: 'Adresse ou mot de passe incorrect.',
      rate_limited: 'Trop d’essais. Attendez un quart d’heure et réessayez.',
      idp_rejected: 'La connexion avec le compte de l’entreprise n’a pas abouti. Réessayez.',
      idp_unavailable:
        'La connexion de votre entreprise ne répond pas pour le moment. Votre mot de passe ou un lien par e-mail fonctionne.',
      email_not_verified:
        'Le compte de votre entreprise n’a pas d’adresse e-mail confirmée. Connectez-vous d’une autre manière.',
    },
    mailedTitle: 'Consultez votre boîte de réception',
    mailed: (email) =>
      `S’il existe un compte avec ${email}, un e-mail avec un lien est en route. Il ne sert que peu de temps.`,
    magicLinkTitle: 'Se connecter',
    magicLink: (email) => `Vous allez vous connecter avec ${email}.`,
    magicLinkButton: 'Se connecter maintenant',
    verifyTitle: 'Confirmer votre adresse e-mail',
    verify: (email) => `${email} est-elle votre adresse, et avez-vous créé le compte ?`,
    verifyNotYou: 'Si vous n’avez pas créé de compte, fermez cette page.',
    verifyButton: 'Oui, confirmer',
    verifiedTitle: 'Merci, votre adresse est confirmée',
    verified: 'Vous voyez maintenant les demandes que les marques envoient à cette adresse.',
    resetTitle: 'Choisir un nouveau mot de passe',
    reset: 'Tous les appareils connectés seront déconnectés.',
    newPassword: 'Nouveau mot de passe',
    passwordHelp: '8 à 200 caractères. Une phrase se retient mieux qu’un mot.',
    passwordRefused: 'Le mot de passe doit avoir de 8 à 200 caractères.',
    resetButton: 'Enregistrer le mot de passe',
    passwordSetTitle: 'Votre nouveau mot de passe est enregistré',
    passwordSet: 'Tous les appareils ont été déconnectés. Connectez-vous avec le nouveau mot de passe.',
    linkInvalidTitle: 'Ce lien n’est plus valable',
    linkInvalid:
      'Il a déjà servi, il est trop ancien ou incomplet. Vous pouvez en demander un nouveau sur la page de connexion.',
    toSignIn: 'Aller à la page de connexion',
  },
  it: {
    signInTitle: 'Accedi',
    email: 'Email',
    password: 'Password',
    signInButton: 'Accedi',
    mailLinkButton: 'Inviami un link di accesso',
    mailLinkHelp: 'Funziona senza password. Scrivi prima il tuo indirizzo email qui sopra.',
    forgotButton: 'Ho dimenticato la password',
    identityProvider: 'Accedi con l’account aziendale',
    refusals: {
      email_invalid: 'Scrivi il tuo indirizzo email.',
      bad_credentials: 'Indirizzo o password non corretti.',
      rate_limited: 'Troppi tentativi. Aspetta un quarto d’ora e riprova.',
      idp_rejected: 'L’accesso con l’account aziendale non è riuscito. Riprova.',
      idp_unavailable:
        'L’accesso della tua azienda non risponde in questo momento. Funzionano la password o un link via email.',
      email_not_verified: 'Il tuo account aziendale non ha un indirizzo email confermato. Accedi in un altro modo.',
    },
    mailedTitle: 'Guarda nella tua casella di posta',
    mailed: (email) =>
      `Se esiste un account con ${email}, sta arrivando un’email con un link. Vale solo per poco tempo.`,
    magicLinkTitle: 'Accedi',
    magicLink: (email) => `Stai per accedere come ${email}.`,
    magicLinkButton: 'Accedi ora',
    verifyTitle: 'Conferma il tuo indirizzo email',
    verify: (email) => `${email} è il tuo indirizzo, e hai creato tu l’account?`,
    verifyNotYou: 'Se non hai creato un account, chiudi questa pagina.',
    verifyButton: 'Sì, conferma',
    verifiedTitle: 'Grazie, il tuo indirizzo è confermato',
    verified: 'Ora vedi le richieste che i marchi inviano a questo indirizzo.',
    resetTitle: 'Scegli una nuova password',
    reset: 'Tutti i dispositivi collegati verranno disconnessi.',
    newPassword: 'Nuova password',
    passwordHelp: 'Da 8 a 200 caratteri. Una frase si ricorda meglio di una parola.',
    passwordRefused: 'La password deve avere da 8 a 200 caratteri.',
    resetButton: 'Imposta la password',
    passwordSetTitle: 'La nuova password è impostata',
    passwordSet: 'Tutti i dispositivi sono stati disconnessi. Accedi con la nuova password.',
    linkInvalidTitle: 'Questo link non è più valido',
    linkInvalid: 'È già stato usato, è troppo vecchio o incompleto. Puoi chiederne uno nuovo nella pagina di accesso.',
    toSignIn: 'Vai alla pagina di accesso',
  },
  es: {
    signInTitle: 'Entrar',
    email: 'Correo electrónico',
    password: 'Contraseña',
    signInButton: 'Entrar',
    mailLinkButton: 'Enviarme un enlace de acceso',
    mailLinkHelp: 'Funciona sin contraseña. Escriba antes arriba su dirección de correo.',
    forgotButton: 'He olvidado mi contraseña',
    identityProvider: 'Entrar con la cuenta de la empresa',
    refusals: {
      email_invalid: 'Escriba su dirección de correo.',
      bad_credentials: 'La dirección o la contraseña no es correcta.',
      rate_limited: 'Demasiados intentos. Espere un cuarto de hora e inténtelo de nuevo.',
      idp_rejected: 'No se ha podido entrar con la cuenta de la empresa. Inténtelo de nuevo.',
      idp_unavailable:
        'El acceso de su empresa no responde en este momento. Puede usar su contraseña o un enlace por correo.',
      email_not_verified: 'Su cuenta de empresa no tiene una dirección de correo confirmada. Entre de otra manera.',
    },
    mailedTitle: 'Mire su bandeja de entrada',
    mailed: (email) =>
      `Si existe una cuenta con ${email}, hay un correo con un enlace en camino. Sirve solo durante poco tiempo.`,
    magicLinkTitle: 'Entrar',
    magicLink: (email) => `Va a entrar como ${email}.`,
    magicLinkButton: 'Entrar ahora',
    verifyTitle: 'Confirme su dirección de correo',
    verify: (email) => `¿Es ${email} su dirección, y ha creado usted la cuenta?`,
    verifyNotYou: 'Si no ha creado ninguna cuenta, cierre esta página.',
    verifyButton: 'Sí, confirmar',
    verifiedTitle: 'Gracias, su dirección está confirmada',
    verified: 'Ahora ve las solicitudes que las marcas envían a esta dirección.',
    resetTitle: 'Elija una contraseña nueva',
    reset: 'Se cerrará la sesión en todos los dispositivos.',
    newPassword: 'Contraseña nueva',
    passwordHelp: 'De 8 a 200 caracteres. Una frase se recuerda mejor que una palabra.',
    passwordRefused: 'La contraseña debe tener de 8 a 200 caracteres.',
    resetButton: 'Guardar la contraseña',
    passwordSetTitle: 'Su contraseña nueva está guardada',
    passwordSet: 'Se ha cerrado la sesión en todos los dispositivos. Entre con la contraseña nueva.',
    linkInvalidTitle: 'Este enlace ya no sirve',
    linkInvalid: 'Ya se ha usado, es demasiado antiguo o está incompleto. Puede pedir otro en la página de acceso.',
    toSignIn: 'Ir a la página de acceso',
  },
};
