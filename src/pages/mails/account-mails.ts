import type { InEveryLocale, Locale } from '../locale.js';
import type { MailContent } from './blocks.js';
import { renderMail } from './render-mail.js';

export interface AccountMail {
  readonly kind: 'magic_link' | 'password_reset' | 'verification';
  /** The whole address, with the token. */
  readonly link: string;
}

/** A link that signs in, sets a new password or proves an address: what it does, how long, and what to do if nobody asked. */
export function renderAccountMail({ kind, link }: AccountMail, locale: Locale = 'en'): MailContent {
  const texts = TEXTS[locale][kind];
  return renderMail({
    locale,
    subject: texts.heading,
    heading: texts.heading,
    blocks: [
      { kind: 'paragraph', text: texts.body },
      { kind: 'action', label: texts.action, href: link },
      { kind: 'small', text: texts.notYou },
    ],
  });
}

interface Texts {
  readonly heading: string;
  readonly body: string;
  readonly action: string;
  readonly notYou: string;
}

const TEXTS: InEveryLocale<Readonly<Record<AccountMail['kind'], Texts>>> = {
  en: {
    magic_link: {
      heading: 'Sign in to Product Passports',
      body: 'Open the link and confirm, and you are signed in. It works once, for 15 minutes.',
      action: 'Sign in',
      notYou: 'You did not ask for this? Then do nothing: without the link nobody gets in. Pass it on to nobody.',
    },
    password_reset: {
      heading: 'Set a new password',
      body: 'Open the link and choose a new password. It works once, for one hour. Every device that is signed in will be signed out.',
      action: 'Set a new password',
      notYou: 'You did not ask for this? Then do nothing: your password stays as it is. Pass the link on to nobody.',
    },
    verification: {
      heading: 'Confirm your email address',
      body: 'An account for Product Passports was made with this address. Open the link within three days and confirm that it is yours.',
      action: 'Confirm the address',
      notYou:
        'You did not make an account? Then do not confirm. If you want to use the service yourself, ask for a sign-in link on its sign-in page: whoever made the account is then locked out.',
    },
  },
  de: {
    magic_link: {
      heading: 'Bei Produktpass anmelden',
      body: 'Öffnen Sie den Link und bestätigen Sie, dann sind Sie angemeldet. Er gilt einmal, 15 Minuten lang.',
      action: 'Anmelden',
      notYou:
        'Sie haben das nicht angefordert? Dann tun Sie nichts: Ohne den Link kommt niemand hinein. Geben Sie ihn an niemanden weiter.',
    },
    password_reset: {
      heading: 'Neues Passwort festlegen',
      body: 'Öffnen Sie den Link und wählen Sie ein neues Passwort. Er gilt einmal, eine Stunde lang. Alle angemeldeten Geräte werden abgemeldet.',
      action: 'Neues Passwort festlegen',
      notYou:
        'Sie haben das nicht angefordert? Dann tun Sie nichts: Ihr Passwort bleibt, wie es ist. Geben Sie den Link an niemanden weiter.',
    },
    verification: {
      heading: 'E-Mail-Adresse bestätigen',
      body: 'Mit dieser Adresse wurde ein Konto bei Produktpass angelegt. Öffnen Sie den Link innerhalb von drei Tagen und bestätigen Sie, dass sie Ihnen gehört.',
      action: 'Adresse bestätigen',
      notYou:
        'Sie haben kein Konto angelegt? Dann bestätigen Sie nicht. Möchten Sie den Dienst selbst nutzen, fordern Sie auf der Anmeldeseite einen Anmeldelink an: Wer das Konto angelegt hat, ist dann ausgesperrt.',
    },
  },
  fr: {
    magic_link: {
      heading: 'Connexion à Passeport produit',
      body: 'Ouvrez le lien et confirmez : vous êtes connecté. Il sert une seule fois, pendant 15 minutes.',
      action: 'Se connecter',
      notYou:
        'Vous n’avez rien demandé ? Ne faites rien : sans le lien, personne n’entre. Ne le transmettez à personne.',
    },
    password_reset: {
      heading: 'Choisir un nouveau mot de passe',
      body: 'Ouvrez le lien et choisissez un nouveau mot de passe. Il sert une seule fois, pendant une heure. Tous les appareils connectés seront déconnectés.',
      action: 'Choisir un nouveau mot de passe',
      notYou:
        'Vous n’avez rien demandé ? Ne faites rien : votre mot de passe reste inchangé. Ne transmettez le lien à personne.',
    },
    verification: {
      heading: 'Confirmer votre adresse e-mail',
      body: 'Un compte Passeport produit a été créé avec cette adresse. Ouvrez le lien dans les trois jours et confirmez qu’elle est la vôtre.',
      action: 'Confirmer l’adresse',
      notYou:
        'Vous n’avez pas créé de compte ? Ne confirmez pas. Pour utiliser vous-même le service, demandez un lien de connexion sur sa page de connexion : la personne qui a créé le compte n’y aura plus accès.',
    },
  },
  it: {
    magic_link: {
      heading: 'Accedere a Passaporto del prodotto',
      body: 'Apri il link e conferma: l’accesso è fatto. Vale una volta sola, per 15 minuti.',
      action: 'Accedi',
      notYou:
        'Non l’hai chiesto tu? Allora non fare nulla: senza il link nessuno può entrare. Non inoltrarlo a nessuno.',
    },
    password_reset: {
      heading: 'Scegliere una nuova password',
      body: 'Apri il link e scegli una nuova password. Vale una volta sola, per un’ora. Tutti i dispositivi collegati verranno disconnessi.',
      action: 'Scegli una nuova password',
      notYou:
        'Non l’hai chiesto tu? Allora non fare nulla: la tua password resta com’è. Non inoltrare il link a nessuno.',
    },
    verification: {
      heading: 'Confermare l’indirizzo email',
      body: 'Con questo indirizzo è stato creato un account di Passaporto del prodotto. Apri il link entro tre giorni e conferma che è tuo.',
      action: 'Conferma l’indirizzo',
      notYou:
        'Non hai creato un account? Allora non confermare. Se vuoi usare tu il servizio, chiedi un link di accesso nella sua pagina di accesso: chi ha creato l’account resterà fuori.',
    },
  },
  es: {
    magic_link: {
      heading: 'Entrar en Pasaporte de producto',
      body: 'Abra el enlace y confirme: ya habrá entrado. Sirve una sola vez, durante 15 minutos.',
      action: 'Entrar',
      notYou: '¿No lo ha pedido usted? Entonces no haga nada: sin el enlace nadie puede entrar. No lo pase a nadie.',
    },
    password_reset: {
      heading: 'Elegir una contraseña nueva',
      body: 'Abra el enlace y elija una contraseña nueva. Sirve una sola vez, durante una hora. Se cerrará la sesión en todos los dispositivos.',
      action: 'Elegir una contraseña nueva',
      notYou: '¿No lo ha pedido usted? Entonces no haga nada: su contraseña sigue igual. No pase el enlace a nadie.',
    },
    verification: {
      heading: 'Confirmar su dirección de correo',
      body: 'Con esta dirección se ha creado una cuenta de Pasaporte de producto. Abra el enlace en un plazo de tres días y confirme que es suya.',
      action: 'Confirmar la dirección',
      notYou:
        '¿No ha creado usted ninguna cuenta? Entonces no confirme. Si quiere usar el servicio, pida un enlace de acceso en su página de acceso: quien creó la cuenta quedará fuera.',
    },
  },
};
