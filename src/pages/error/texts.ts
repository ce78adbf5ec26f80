import type { InEveryLocale } from '../locale.js';

type Kind = 'request' | 'missing' | 'gone' | 'busy' | 'down' | 'fault';

type ErrorTexts = Readonly<Record<Kind, { readonly title: string; readonly detail: string }>> & {
  /** Before the request's id. */
  readonly reference: string;
};

/** What a status means to somebody who reads a page. */
export function kindOfStatus(status: number): Kind {
  if (status === 404) return 'missing';
  if (status === 410) return 'gone';
  if (status === 429) return 'busy';
  if (status === 503) return 'down';
  return status >= 500 ? 'fault' : 'request';
}

export const ERROR_TEXTS: InEveryLocale<ErrorTexts> = {
  en: {
    request: { title: 'That did not work', detail: 'The request could not be understood or is not allowed.' },
    missing: { title: 'There is nothing here', detail: 'The address may be incomplete, or what it led to is gone.' },
    gone: {
      title: 'This link is no longer good',
      detail: 'It has been withdrawn. There is nothing left for you to do.',
    },
    busy: { title: 'Too many attempts', detail: 'Please wait a few minutes, then try again.' },
    down: {
      title: 'Please try again in a moment',
      detail: 'A part of the service cannot be reached. Sending the same thing again does no harm.',
    },
    fault: { title: 'Something went wrong on our side', detail: 'It has been recorded. Please try again later.' },
    reference: 'If you write to us about it, name this number:',
  },
  de: {
    request: { title: 'Das hat nicht geklappt', detail: 'Die Anfrage war nicht zu verstehen oder ist nicht erlaubt.' },
    missing: {
      title: 'Hier ist nichts',
      detail: 'Vielleicht ist die Adresse unvollständig, oder es gibt das Ziel nicht mehr.',
    },
    gone: { title: 'Dieser Link gilt nicht mehr', detail: 'Er wurde zurückgezogen. Für Sie ist nichts mehr zu tun.' },
    busy: {
      title: 'Zu viele Versuche',
      detail: 'Bitte warten Sie ein paar Minuten und versuchen Sie es dann noch einmal.',
    },
    down: {
      title: 'Bitte gleich noch einmal versuchen',
      detail: 'Ein Teil des Dienstes ist nicht erreichbar. Dasselbe noch einmal zu senden schadet nicht.',
    },
    fault: {
      title: 'Bei uns ist etwas schiefgegangen',
      detail: 'Es wurde festgehalten. Bitte versuchen Sie es später noch einmal.',
    },
    reference: 'Wenn Sie uns dazu schreiben, nennen Sie diese Nummer:',
  },
  fr: {
    request: { title: 'Cela n’a pas fonctionné', detail: 'La demande n’a pas pu être comprise ou n’est pas permise.' },
    missing: {
      title: 'Il n’y a rien ici',
      detail: 'L’adresse est peut-être incomplète, ou ce qu’elle désignait n’existe plus.',
    },
    gone: { title: 'Ce lien n’est plus valable', detail: 'Il a été retiré. Vous n’avez plus rien à faire.' },
    busy: { title: 'Trop de tentatives', detail: 'Attendez quelques minutes, puis réessayez.' },
    down: {
      title: 'Réessayez dans un instant',
      detail: 'Une partie du service est injoignable. Envoyer la même chose une seconde fois ne pose pas de problème.',
    },
    fault: { title: 'Une erreur s’est produite de notre côté', detail: 'Elle a été enregistrée. Réessayez plus tard.' },
    reference: 'Si vous nous écrivez à ce sujet, indiquez ce numéro :',
  },
  it: {
    request: { title: 'Non ha funzionato', detail: 'La richiesta non è comprensibile o non è permessa.' },
    missing: { title: 'Qui non c’è nulla', detail: 'Forse l’indirizzo è incompleto, o ciò a cui portava non c’è più.' },
    gone: { title: 'Questo link non vale più', detail: 'È stato ritirato. Non dovete fare altro.' },
    busy: { title: 'Troppi tentativi', detail: 'Attendete qualche minuto, poi riprovate.' },
    down: {
      title: 'Riprovate tra un momento',
      detail: 'Una parte del servizio non è raggiungibile. Inviare di nuovo la stessa cosa non fa danni.',
    },
    fault: { title: 'Qualcosa è andato storto da parte nostra', detail: 'È stato registrato. Riprovate più tardi.' },
    reference: 'Se ci scrivete in merito, indicate questo numero:',
  },
  es: {
    request: { title: 'No ha funcionado', detail: 'La solicitud no se pudo entender o no está permitida.' },
    missing: {
      title: 'Aquí no hay nada',
      detail: 'Puede que la dirección esté incompleta o que su destino ya no exista.',
    },
    gone: { title: 'Este enlace ya no vale', detail: 'Se ha retirado. No tienen que hacer nada más.' },
    busy: { title: 'Demasiados intentos', detail: 'Esperen unos minutos y vuelvan a intentarlo.' },
    down: {
      title: 'Vuelvan a intentarlo en un momento',
      detail: 'No se puede acceder a una parte del servicio. Enviar lo mismo otra vez no causa ningún daño.',
    },
    fault: {
      title: 'Algo ha fallado por nuestra parte',
      detail: 'Ha quedado registrado. Vuelvan a intentarlo más tarde.',
    },
    reference: 'Si nos escriben sobre esto, indiquen este número:',
  },
};
