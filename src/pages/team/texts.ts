import type { InEveryLocale } from '../locale.js';
import type { TeamRole } from '../views.js';

interface TeamTexts {
  readonly heading: (organization: string) => string;
  readonly roles: Readonly<Record<TeamRole, (organization: string) => string>>;
  readonly displayNameHelp: string;
  readonly withAccount: (email: string) => string;
  readonly accept: string;
  readonly ignore: string;
  readonly joinedTitle: string;
  readonly joined: (organization: string, email: string) => string;
  readonly signIn: string;
  readonly invalidTitle: string;
  readonly invalid: string;
}

export const TEAM_TEXTS: InEveryLocale<TeamTexts> = {
  en: {
    heading: (organization) => `${organization} invites you`,
    roles: {
      owner: (organization) => `You would be an owner of ${organization}: you can do everything, members included.`,
      editor: (organization) => `You would be an editor of ${organization}: you can see and change its records.`,
      auditor: (organization) => `You would be an auditor of ${organization}: you can see everything, change nothing.`,
    },
    displayNameHelp: 'So that your colleagues know who you are.',
    withAccount: (email) => `You have an account with ${email}.`,
    accept: 'Accept the invitation',
    ignore: 'You do not want this? Then close this page: nothing happens without your click.',
    joinedTitle: 'Welcome, you are a member now',
    joined: (organization, email) => `You belong to ${organization}. Sign in with ${email}.`,
    signIn: 'Sign in',
    invalidTitle: 'This invitation is not known',
    invalid:
      'The link may have been cut off, or the invitation has been used or withdrawn, or is older than two weeks. Ask whoever invited you to do it once more.',
  },
  de: {
    heading: (organization) => `${organization} lädt Sie ein`,
    roles: {
      owner: (organization) => `Sie wären Inhaber von ${organization}: Sie können alles, auch Mitglieder verwalten.`,
      editor: (organization) => `Sie wären Bearbeiter von ${organization}: Sie können alle Daten sehen und ändern.`,
      auditor: (organization) => `Sie wären Prüfer von ${organization}: Sie können alles sehen und nichts ändern.`,
    },
    displayNameHelp: 'Damit Ihre Kolleginnen und Kollegen wissen, wer Sie sind.',
    withAccount: (email) => `Sie haben ein Konto mit ${email}.`,
    accept: 'Einladung annehmen',
    ignore: 'Sie möchten das nicht? Dann schließen Sie diese Seite: Ohne Ihren Klick geschieht nichts.',
    joinedTitle: 'Willkommen, Sie sind jetzt Mitglied',
    joined: (organization, email) => `Sie gehören zu ${organization}. Melden Sie sich mit ${email} an.`,
    signIn: 'Anmelden',
    invalidTitle: 'Diese Einladung ist nicht bekannt',
    invalid:
      'Der Link ist vielleicht abgeschnitten, oder die Einladung wurde benutzt oder zurückgezogen oder ist älter als zwei Wochen. Bitten Sie darum, noch einmal eingeladen zu werden.',
  },
  fr: {
    heading: (organization) => `${organization} vous invite`,
    roles: {
      owner: (organization) =>
        `Vous seriez propriétaire de ${organization} : vous pouvez tout faire, gérer les membres compris.`,
      editor: (organization) => `Vous seriez éditeur de ${organization} : vous pouvez voir et modifier ses données.`,
      auditor: (organization) => `Vous seriez auditeur de ${organization} : vous voyez tout, sans rien modifier.`,
    },
    displayNameHelp: 'Pour que vos collègues sachent qui vous êtes.',
    withAccount: (email) => `Vous avez un compte avec ${email}.`,
    accept: 'Accepter l’invitation',
    ignore: 'Vous n’en voulez pas ? Fermez cette page : rien ne se passe sans votre clic.',
    joinedTitle: 'Bienvenue, vous êtes membre',
    joined: (organization, email) => `Vous faites partie de ${organization}. Connectez-vous avec ${email}.`,
    signIn: 'Se connecter',
    invalidTitle: 'Cette invitation n’est pas connue',
    invalid:
      'Le lien est peut-être coupé, ou l’invitation a été utilisée ou retirée, ou elle a plus de deux semaines. Demandez à être invité une nouvelle fois.',
  },
  it: {
    heading: (organization) => `${organization} ti invita`,
    roles: {
      owner: (organization) => `Saresti proprietario di ${organization}: puoi fare tutto, anche gestire i membri.`,
      editor: (organization) => `Saresti redattore di ${organization}: puoi vedere e modificare i suoi dati.`,
      auditor: (organization) => `Saresti revisore di ${organization}: puoi vedere tutto, senza modificare nulla.`,
    },
    displayNameHelp: 'Così i colleghi sanno chi sei.',
    withAccount: (email) => `Hai un account con ${email}.`,
    accept: 'Accetta l’invito',
    ignore: 'Non lo vuoi? Allora chiudi questa pagina: senza il tuo clic non succede nulla.',
    joinedTitle: 'Benvenuto, ora sei membro',
    joined: (organization, email) => `Fai parte di ${organization}. Accedi con ${email}.`,
    signIn: 'Accedi',
    invalidTitle: 'Questo invito non è conosciuto',
    invalid:
      'Forse il link è stato tagliato, oppure l’invito è stato usato o ritirato, o ha più di due settimane. Chiedi di essere invitato di nuovo.',
  },
  es: {
    heading: (organization) => `${organization} le invita`,
    roles: {
      owner: (organization) =>
        `Sería propietario de ${organization}: puede hacerlo todo, también gestionar los miembros.`,
      editor: (organization) => `Sería editor de ${organization}: puede ver y cambiar sus datos.`,
      auditor: (organization) => `Sería auditor de ${organization}: puede verlo todo y no cambiar nada.`,
    },
    displayNameHelp: 'Para que sus colegas sepan quién es.',
    withAccount: (email) => `Tiene una cuenta con ${email}.`,
    accept: 'Aceptar la invitación',
    ignore: '¿No lo quiere? Entonces cierre esta página: sin su clic no pasa nada.',
    joinedTitle: 'Bienvenido, ya es miembro',
    joined: (organization, email) => `Pertenece a ${organization}. Entre con ${email}.`,
    signIn: 'Entrar',
    invalidTitle: 'Esta invitación no se conoce',
    invalid:
      'Quizá el enlace está cortado, o la invitación se usó o se retiró, o tiene más de dos semanas. Pida que le inviten otra vez.',
  },
};
