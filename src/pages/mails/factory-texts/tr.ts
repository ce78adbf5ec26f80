import type { FactoryMailTexts } from './en.js';

export const tr: FactoryMailTexts = {
  invitation: {
    subject: (brand) => `${brand} sizi üretim verilerinizi paylaşmaya davet ediyor`,
    heading: (brand) => `${brand} sizi davet ediyor`,
    body: (brand, factory) =>
      `${brand}, ${factory} firmasını tedarikçileri arasında sayıyor ve birlikte ürettikleriniz için ürün pasaportları hazırlıyor. Bunun için sizden üretim verileri istemek istiyor.`,
    next: 'Bütün talepleri tek bir yerde görmek için bir hesap açın. Bir dakika sürer ve ücretsizdir. Hesap sayfaları İngilizcedir, form Türkçedir.',
    action: 'Daveti kabul et veya reddet',
    decline:
      'İstemiyor musunuz? Aynı bağlantıyı açıp “Decline” (Reddet) düğmesini seçin; marka size artık talep gönderemez.',
  },
  linked: {
    heading: (brand) => `${brand} sizi tedarikçi olarak ekledi`,
    body: (brand, factory) =>
      `${brand}, ${factory} firmasını tedarikçileri arasında sayıyor. Zaten bir hesabınız olduğu için bağlantı hemen kuruldu; yapmanız gereken bir şey yok.`,
    action: 'Markayı gör veya reddet',
    decline:
      'Bu markayla çalışmıyor musunuz? Bağlantıyı açıp “Decline” (Reddet) düğmesini seçin; marka size artık talep gönderemez.',
  },
  request: {
    subject: {
      request: (brand, product) => `${brand} üretim verilerinizi istiyor: ${product}`,
      brand_reminder: (brand, product) => `${brand} hatırlatıyor: ${product} için üretim verileri`,
      reminder_1: (brand, product) => `Hatırlatma: ${brand}, ${product} için veri bekliyor`,
      reminder_2: (brand, product) => `Son hatırlatma: ${brand}, ${product} için veri bekliyor`,
      changes_requested: (brand, product) => `${brand} değişiklik istiyor: ${product}`,
    },
    heading: {
      request: (brand) => `${brand} üretim verilerinizi istiyor`,
      reminder: (brand) => `${brand} hâlâ verilerinizi bekliyor`,
      changes_requested: (brand) => `${brand} değişiklik istiyor`,
    },
    hello: (factory) => `Merhaba ${factory},`,
    body: {
      factory: (brand) =>
        `${brand}, ürettiğiniz bir parti için ürün pasaportu hazırlıyor. Gireceğiniz değerler (ağırlık, enerji, ülkeler), iklim ayak izi hesabındaki varsayılan değerlerin yerini alır.`,
      sub_supplier: (brand) =>
        `${brand}, içinde sizden gelen bir malzeme bulunan bir parti için ürün pasaportu hazırlıyor. Kendi üretim aşamanıza ait değerler, iklim ayak izi hesabındaki varsayılan değerlerin yerini alır.`,
    },
    reminder: {
      brand_reminder: 'Marka size hatırlatmamızı istedi: Yanıtınız henüz ulaşmadı.',
      reminder_1: 'Bu talep size bir hafta önce gönderildi ve yanıtınız henüz ulaşmadı.',
      reminder_2:
        'Bu talep size iki hafta önce gönderildi ve yanıtınız henüz ulaşmadı. Bu son hatırlatmadır; verilerin eksik olduğu markaya bildirilecek.',
    },
    changes:
      'Marka yanıtınızı inceledi ve bir şeyi değiştirmenizi istiyor. Aşağıdaki bağlantı bildiğiniz bağlantıdır; daha önce gönderdikleriniz dolu duruyor.',
    product: 'Ürün',
    sku: 'Artikel no',
    order: 'Sipariş no',
    quantity: 'Miktar',
    feedback: (brand) => `${brand} firmasının istediği değişiklik`,
    action: 'Formu aç',
    form: 'Hesap açmanız gerekmez. Taslağı kaydedip sonra dönebilirsiniz; bilmediğiniz alanlar boş kalabilir.',
    secret: 'Bu bağlantı yalnızca size özeldir: Bağlantıya sahip olan herkes sizin yerinize yanıt verebilir.',
  },
  notes: (brand) => `${brand} firmasının mesajı`,
};
