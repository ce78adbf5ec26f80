import type { FactoryFormTexts } from './en.js';

export const tr: FactoryFormTexts = {
  title: (brand) => `${brand} için üretim verileri`,
  heading: (brand) => `${brand} üretim verilerinizi istiyor`,
  intro: (factory, brand) =>
    `Merhaba ${factory}. ${brand}, aşağıdaki parti için bir ürün pasaportu hazırlıyor. Gireceğiniz değerler, iklim ayak izi hesabındaki varsayılan değerlerin yerini alır; bu değerleri sizden iyi kimse bilemez.`,
  introMaterial: (factory, brand) =>
    `Merhaba ${factory}. ${brand}, aşağıdaki parti için bir ürün pasaportu hazırlıyor ve üründeki malzemelerden biri sizden geliyor. Kendi üretim aşamanız hakkında bildiklerinizi girin; gerisini boş bırakabilirsiniz.`,
  optional:
    'Hiçbir alan zorunlu değildir, ancak en az bir değer girilmelidir. Bilmediğiniz alanları boş bırakın: yerine varsayılan bir değer kullanılır ve pasaportta bu belirtilir.',
  who: (brand) =>
    `Gönderdiğiniz verileri ${brand} görür. Herkese açık pasaportta hesaplanan ayak izi ve sertifikalarınız yer alır.`,
  product: 'Ürün',
  order: 'Sipariş no',
  quantity: 'Miktar',
  composition: 'Elyaf içeriği',
  sku: 'Artikel no',
  message: (brand) => `${brand} firmasının mesajı`,
  feedback: (brand) => `${brand} değişiklik istiyor`,
  feedbackHint: 'Daha önce gönderdikleriniz aşağıda dolu duruyor. Düzeltip yeniden gönderin.',
  errorsTitle: (count) =>
    count === 1 ? 'Bir alanı kontrol etmeniz gerekiyor' : `${count} alanı kontrol etmeniz gerekiyor`,
  errorsKept: 'Hiçbir şey kaybolmadı: yazdıklarınız hâlâ burada.',
  notANumber: '1250 veya 12,5 gibi bir sayı yazın; birim eklemeyin.',
  draftTitle: 'Taslak kaydedildi',
  draft: 'Dilediğiniz zaman aynı bağlantıyla geri dönebilirsiniz. Siz gönderene kadar marka hiçbir şey görmez.',
  sentTitle: 'Teşekkürler, verileriniz gönderildi',
  sent: (brand) =>
    `${brand} verilerinizi inceleyecek. Değiştirilmesi gereken bir şey olursa aynı bağlantıyı içeren bir e-posta alırsınız.`,
  sentOpen: 'Pasaport yayımlanana kadar yanıtınızı değiştirebilirsiniz.',
  publishedTitle: 'Pasaport yayımlandı',
  published: 'Veriler artık değiştirilemez. Gönderilenler:',
  publishedEmpty: 'Veriler artık değiştirilemez; bu bağlantıyla hiçbir veri gönderilmedi.',
  given: 'Gönderdiğiniz veriler',
  choose: 'Bilinmiyor',
  sections: {
    product: {
      title: 'Ürün',
      why: 'Ayak izini en çok ağırlık belirler; diğer her şey ürünün kilogramı başına hesaplanır.',
    },
    places: {
      title: 'Hangi aşama nerede yapılıyor',
      why: 'Hangi elektrik ve ısının hesaba katılacağı ve malın ne kadar yol gideceği ülkeye bağlıdır.',
    },
    fabric: {
      title: 'İplik ve kumaş',
      why: 'İnce iplik eğirmek daha çok elektrik ister; örme, dokumadan daha az enerji tüketir.',
    },
    dyeing: { title: 'Boyama', why: 'Sıcak su ve buhar çoğu zaman üretimin en büyük payını oluşturur.' },
    making: { title: 'Kesim ve dikim', why: 'Kesimde fire olan kumaş da eğrilmiş, örülmüş ve boyanmıştır.' },
    transport: {
      title: 'Nakliye',
      why: 'Havayolu, aynı mesafedeki denizyolunun yaklaşık otuz katı emisyona yol açar.',
    },
    certificates: {
      title: 'Sertifikalar',
      why: 'Geçerlilik süreleriyle birlikte pasaportta gösterilir. Gerekmeyen satırları boş bırakın; her zaman üç boş satır eklenir.',
    },
    notes: { title: 'Eklemek istedikleriniz', why: 'Yalnızca marka okur, pasaportta gösterilmez.' },
  },
  fields: {
    productWeightKg: { label: 'Bir bitmiş ürünün ağırlığı', help: 'Ambalajsız, orta beden. Örnek: 0,18' },
    quantityProduced: { label: 'Üretilen adet', help: 'Bu partide. Yalnızca bilgi amaçlıdır.' },
    productionDate: { label: 'Üretim tarihi', help: 'Partinin tamamlandığı gün.' },
    facilityId: { label: 'Tesis', help: 'Partinin üretildiği yer.' },
    'countries.spinning': { label: 'İplik eğirme', help: 'İpliğin eğrildiği ülke.' },
    'countries.fabric': { label: 'Örme veya dokuma', help: 'Kumaşın üretildiği ülke.' },
    'countries.dyeing': { label: 'Boya ve terbiye', help: 'Boyahanenin bulunduğu ülke.' },
    'countries.making': { label: 'Kesim ve dikim', help: 'Ürünün dikildiği ülke.' },
    fabricProcess: { label: 'Kumaşın üretim yöntemi', help: 'Ürünün ana kumaşı için.' },
    yarnNm: {
      label: 'İplik numarası (Nm)',
      help: 'Bir gram ipliğin metre olarak uzunluğu, 1 ile 500 arası. Ne × 1,69 = Nm. Örnek: 40',
    },
    'dyeing.electricityKwhPerKg': {
      label: 'Boyahanenin elektrik tüketimi',
      help: 'Kumaşın kilogramı başına. Genelde 0,8 ile 1,2 arası',
    },
    'dyeing.heatMjPerKg': {
      label: 'Boyahanenin ısı tüketimi',
      help: 'Buhar ve sıcak su, kumaşın kilogramı başına. Genelde 16 ile 33 arası',
    },
    'dyeing.fuel': { label: 'Isı için kullanılan yakıt', help: 'Kazanda yakılan yakıt.' },
    cuttingLossPct: { label: 'Kesim firesi', help: 'Kumaşın fireye giden payı. Genelde 10 ile 20 arası' },
    makingElectricityKwh: {
      label: 'Dikimde kullanılan elektrik',
      help: 'Partinin tamamı için, bütün bantlar birlikte.',
    },
    airSharePct: { label: 'Uçakla gönderilen pay', help: 'Bu partinin, sizden satış pazarına. Yoksa 0.' },
    notes: { label: 'Notlar', help: 'Örneğin değerlerin nasıl ölçüldüğü.' },
  },
  units: { kg: 'kg', pieces: 'adet', nm: 'Nm', kwhPerKg: 'kWh/kg', mjPerKg: 'MJ/kg', percent: '%', kwh: 'kWh' },
  processes: {
    knitting_circular: 'Yuvarlak örme',
    knitting_flat: 'Düz örme',
    knitting_fully_fashioned: 'Şekilli örme (fully fashioned)',
    knitting_seamless: 'Dikişsiz örme (tek parça)',
    knitting_average: 'Örme, türü bilinmiyor',
    weaving: 'Dokuma',
  },
  fuels: {
    natural_gas: 'Doğal gaz',
    light_fuel_oil: 'Hafif fuel oil',
    heavy_fuel_oil: 'Ağır fuel oil',
    coal: 'Kömür',
  },
  certificate: (number) => `Sertifika ${number}`,
  certificateFields: {
    type: { label: 'Tür', help: 'Örneğin GOTS, OEKO-TEX Standard 100, ISO 14001.' },
    number: { label: 'Numara', help: '' },
    issuer: { label: 'Veren kuruluş', help: '' },
    validFrom: { label: 'Geçerlilik başlangıcı', help: '' },
    validUntil: { label: 'Geçerlilik bitişi', help: '' },
  },
  knownCertificates: 'Kataloğunuzdaki sertifikalar dolduruldu. Bu partiyle ilgisi olmayanları silin.',
  saveDraft: 'Taslağı kaydet',
  submit: 'Markaya gönder',
  footer:
    'Bu bağlantı yalnızca size özeldir. Başkasına iletmeyin: bağlantıya sahip olan herkes sizin yerinize yanıt verebilir.',
  withdrawnTitle: 'Bu talep geri çekildi',
  withdrawn: 'Marka bu verileri artık istemiyor. Yapmanız gereken bir şey yok.',
  declinedTitle: 'Bu markayla artık çalışmıyorsunuz',
  declined:
    'İşletmeniz bu markayla çalışmayı reddettiği için bu talep yanıt kabul etmiyor. Bir yanlışlık mı oldu? Markadan sizi yeniden davet etmesini isteyin: Bu bağlantı yeniden geçerli olur ve kaydettikleriniz yerinde durur.',
  unknownTitle: 'Bu bağlantı tanınmıyor',
  unknown:
    'Bağlantı eksik kopyalanmış olabilir. E-postadan yeniden açın ya da markadan talebi bir kez daha göndermesini isteyin.',
};
