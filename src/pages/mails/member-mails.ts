import type { InEveryLocale, Locale } from '../locale.js';
import type { TeamRole } from '../views.js';
import { oneLine, type MailContent } from './blocks.js';
import { renderMail } from './render-mail.js';

export interface MemberMail {
  /** `invited`: the link makes the account. `added`: the account was there, and is a member already. */
  readonly kind: 'invited' | 'added';
  readonly organizationName: string;
  readonly role: TeamRole;
  readonly link: string;
}

/** To somebody who was added to an organization, or is invited into one. */
export function renderMemberMail(
  { kind, organizationName, role, link }: MemberMail,
  locale: Locale = 'en',
): MailContent {
  const texts = TEXTS[locale];
  const organization = oneLine(organizationName);
  return renderMail({
    locale,
    subject: texts[kind].heading(organization),
    heading: texts[kind].heading(organization),
    blocks: [
      { kind: 'paragraph', text: texts[kind].body(organization, texts.roles[role]) },
      { kind: 'action', label: texts[kind].action, href: link },
      { kind: 'small', text: texts[kind].notYou },
    ],
  });
}

interface Texts {
  readonly heading: (organization: string) => string;
  readonly body: (organization: string, role: string) => string;
  readonly action: string;
  readonly notYou: string;
}

const TEXTS: InEveryLocale<
  Readonly<Record<MemberMail['kind'], Texts>> & { readonly roles: Readonly<Record<TeamRole, string>> }
> = {
  en: {
    roles: { owner: 'owner', editor: 'editor', auditor: 'auditor' },
    invited: {
      heading: (organization) => `${organization} invites you to Product Passports`,
      body: (organization, role) =>
        `You are invited to work with ${organization} as ${role}. Open the link within two weeks, choose a name and a password, and you are in.`,
      action: 'Create an account and accept',
      notYou: 'You do not want this? Then do nothing. Pass the link on to nobody: whoever has it joins in your place.',
    },
    added: {
      heading: (organization) => `${organization} has added you as a member`,
      body: (organization, role) =>
        `You are now a member of ${organization} as ${role}. Because you already have an account, there is nothing you have to do.`,
      action: 'Sign in',
      notYou: 'You do not know this organization? It sees your name and address; ask it to remove you.',
    },
  },
  de: {
    roles: { owner: 'Inhaber', editor: 'Bearbeiter', auditor: 'Prüfer' },
    invited: {
      heading: (organization) => `${organization} lädt Sie zu Produktpass ein`,
      body: (organization, role) =>
        `Sie sind eingeladen, mit ${organization} zu arbeiten (${role}). Öffnen Sie den Link innerhalb von zwei Wochen, wählen Sie Namen und Passwort, und Sie sind dabei.`,
      action: 'Konto anlegen und annehmen',
      notYou:
        'Sie möchten das nicht? Dann tun Sie nichts. Geben Sie den Link an niemanden weiter: Wer ihn hat, tritt an Ihrer Stelle bei.',
    },
    added: {
      heading: (organization) => `${organization} hat Sie als Mitglied aufgenommen`,
      body: (organization, role) =>
        `Sie sind jetzt Mitglied von ${organization} (${role}). Weil Sie schon ein Konto haben, müssen Sie nichts tun.`,
      action: 'Anmelden',
      notYou:
        'Sie kennen diese Organisation nicht? Sie sieht Ihren Namen und Ihre Adresse; bitten Sie darum, entfernt zu werden.',
    },
  },
  fr: {
    roles: { owner: 'propriétaire', editor: 'éditeur', auditor: 'auditeur' },
    invited: {
      heading: (organization) => `${organization} vous invite sur Passeport produit`,
      body: (organization, role) =>
        `Vous êtes invité à travailler avec ${organization} (${role}). Ouvrez le lien dans les deux semaines, choisissez un nom et un mot de passe, et c’est fait.`,
      action: 'Créer un compte et accepter',
      notYou:
        'Vous n’en voulez pas ? Ne faites rien. Ne transmettez le lien à personne : qui le détient entre à votre place.',
    },
    added: {
      heading: (organization) => `${organization} vous a ajouté comme membre`,
      body: (organization, role) =>
        `Vous êtes maintenant membre de ${organization} (${role}). Comme vous avez déjà un compte, vous n’avez rien à faire.`,
      action: 'Se connecter',
      notYou:
        'Vous ne connaissez pas cette organisation ? Elle voit votre nom et votre adresse ; demandez-lui de vous retirer.',
    },
  },
  it: {
    roles: { owner: 'proprietario', editor: 'redattore', auditor: 'revisore' },
    invited: {
      heading: (organization) => `${organization} ti invita su Passaporto del prodotto`,
      body: (organization, role) =>
        `Sei invitato a lavorare con ${organization} (${role}). Apri il link entro due settimane, scegli nome e password, e sei dentro.`,
      action: 'Crea un account e accetta',
      notYou: 'Non lo vuoi? Allora non fare nulla. Non inoltrare il link: chi lo possiede entra al posto tuo.',
    },
    added: {
      heading: (organization) => `${organization} ti ha aggiunto come membro`,
      body: (organization, role) =>
        `Ora sei membro di ${organization} (${role}). Poiché hai già un account, non devi fare nulla.`,
      action: 'Accedi',
      notYou: 'Non conosci questa organizzazione? Vede il tuo nome e il tuo indirizzo; chiedi di essere rimosso.',
    },
  },
  es: {
    roles: { owner: 'propietario', editor: 'editor', auditor: 'auditor' },
    invited: {
      heading: (organization) => `${organization} le invita a Pasaporte de producto`,
      body: (organization, role) =>
        `Está invitado a trabajar con ${organization} (${role}). Abra el enlace en dos semanas, elija nombre y contraseña, y ya está dentro.`,
      action: 'Crear una cuenta y aceptar',
      notYou: '¿No lo quiere? Entonces no haga nada. No pase el enlace a nadie: quien lo tenga entra en su lugar.',
    },
    added: {
      heading: (organization) => `${organization} le ha añadido como miembro`,
      body: (organization, role) =>
        `Ahora es miembro de ${organization} (${role}). Como ya tiene una cuenta, no tiene que hacer nada.`,
      action: 'Entrar',
      notYou: '¿No conoce esta organización? Ve su nombre y su dirección; pida que le retiren.',
    },
  },
};
