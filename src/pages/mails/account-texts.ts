import type { InEveryFormLocale } from '../locale.js';

export type AccountMailKind = 'magic_link' | 'password_reset' | 'verification';

interface Texts {
  readonly heading: string;
  readonly body: string;
  readonly action: string;
  readonly notYou: string;
}

export const ACCOUNT_MAIL_TEXTS: InEveryFormLocale<Readonly<Record<AccountMailKind, Texts>>> = {
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
  tr: {
    magic_link: {
      heading: 'Ürün Pasaportu’na giriş',
      body: 'Bağlantıyı açıp onaylayın; giriş yapmış olursunuz. Bağlantı bir kez kullanılabilir ve 15 dakika geçerlidir.',
      action: 'Giriş yap',
      notYou: 'Bunu siz istemediyseniz bir şey yapmayın: Bağlantı olmadan kimse giremez. Bağlantıyı kimseye iletmeyin.',
    },
    password_reset: {
      heading: 'Yeni parola belirleyin',
      body: 'Bağlantıyı açıp yeni bir parola seçin. Bağlantı bir kez kullanılabilir ve bir saat geçerlidir. Giriş yapılmış bütün cihazlarda oturum kapatılır.',
      action: 'Yeni parola belirle',
      notYou: 'Bunu siz istemediyseniz bir şey yapmayın: Parolanız olduğu gibi kalır. Bağlantıyı kimseye iletmeyin.',
    },
    verification: {
      heading: 'E-posta adresinizi onaylayın',
      body: 'Bu adresle Ürün Pasaportu’nda bir hesap açıldı. Bağlantıyı üç gün içinde açıp adresin size ait olduğunu onaylayın.',
      action: 'Adresi onayla',
      notYou:
        'Hesabı siz açmadıysanız onaylamayın. Hizmeti kendiniz kullanmak isterseniz giriş sayfasından bir giriş bağlantısı isteyin: Hesabı açan kişi böylece dışarıda kalır.',
    },
  },
  zh: {
    magic_link: {
      heading: '登录产品护照',
      body: '打开链接并确认即可登录。链接仅可使用一次，15 分钟内有效。',
      action: '登录',
      notYou: '不是您本人的请求？请忽略此邮件：没有此链接，任何人都无法登录。请勿转发。',
    },
    password_reset: {
      heading: '设置新密码',
      body: '打开链接并设置新密码。链接仅可使用一次，一小时内有效。所有已登录的设备都将退出。',
      action: '设置新密码',
      notYou: '不是您本人的请求？请忽略此邮件：您的密码保持不变。请勿转发此链接。',
    },
    verification: {
      heading: '确认您的邮箱地址',
      body: '有人用此邮箱注册了产品护照账户。请在三天内打开链接，确认此邮箱归您所有。',
      action: '确认邮箱',
      notYou: '不是您注册的？请不要确认。如果您本人想使用此服务，请在登录页面索取登录链接：注册者将因此无法再登录。',
    },
  },
  pt: {
    magic_link: {
      heading: 'Entrar no Passaporte de produto',
      body: 'Abra a ligação e confirme: fica com a sessão iniciada. Serve uma só vez, durante 15 minutos.',
      action: 'Entrar',
      notYou: 'Não foi pedido por si? Então não faça nada: sem a ligação ninguém entra. Não a reencaminhe.',
    },
    password_reset: {
      heading: 'Definir uma nova palavra-passe',
      body: 'Abra a ligação e escolha uma nova palavra-passe. Serve uma só vez, durante uma hora. A sessão é terminada em todos os dispositivos.',
      action: 'Definir nova palavra-passe',
      notYou:
        'Não foi pedido por si? Então não faça nada: a sua palavra-passe fica como está. Não reencaminhe a ligação.',
    },
    verification: {
      heading: 'Confirmar o seu endereço de e-mail',
      body: 'Foi criada uma conta do Passaporte de produto com este endereço. Abra a ligação dentro de três dias e confirme que é seu.',
      action: 'Confirmar o endereço',
      notYou:
        'Não criou nenhuma conta? Então não confirme. Se quiser usar o serviço, peça uma ligação de acesso na página de entrada: quem criou a conta deixa de ter acesso.',
    },
  },
};
