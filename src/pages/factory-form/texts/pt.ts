import type { FactoryFormTexts } from './en.js';

export const pt: FactoryFormTexts = {
  title: (brand) => `Dados de produção para ${brand}`,
  heading: (brand) => `${brand} pede dados de produção`,
  intro: (factory, brand) =>
    `Olá, ${factory}. ${brand} está a preparar um passaporte de produto para o lote abaixo. Os valores que indicar substituem valores predefinidos na pegada climática; ninguém os conhece melhor.`,
  introMaterial: (factory, brand) =>
    `Olá, ${factory}. ${brand} está a preparar um passaporte de produto para o lote abaixo, e um dos materiais é fornecido pela vossa empresa. Indique o que sabe sobre a sua etapa; o resto pode ficar em branco.`,
  optional:
    'Nenhum campo é obrigatório, mas é preciso pelo menos um valor. Deixe em branco o que não souber: será usado um valor predefinido, e o passaporte indica-o.',
  who: (brand) =>
    `${brand} vê o que enviar. O passaporte público mostra a pegada calculada e os certificados da vossa empresa.`,
  product: 'Produto',
  order: 'Encomenda',
  quantity: 'Quantidade',
  composition: 'Composição',
  sku: 'Referência do artigo',
  message: (brand) => `Mensagem de ${brand}`,
  feedback: (brand) => `${brand} pede alterações`,
  feedbackHint: 'O que enviou antes está preenchido abaixo. Altere-o e envie de novo.',
  errorsTitle: (count) => (count === 1 ? 'Há um campo a verificar' : `Há ${count} campos a verificar`),
  errorsKept: 'Nada se perdeu: o que escreveu continua aqui.',
  notANumber: 'Escreva um número como 1250 ou 12,5, sem unidade.',
  draftTitle: 'Rascunho guardado',
  draft: 'Volte com a mesma ligação quando quiser. A marca não vê nada antes do envio.',
  sentTitle: 'Obrigado, os dados foram enviados',
  sent: (brand) =>
    `${brand} vai analisá-los. Se for preciso alterar alguma coisa, receberá um e-mail com esta mesma ligação.`,
  sentOpen: 'Pode alterar a sua resposta até o passaporte ser publicado.',
  publishedTitle: 'O passaporte foi publicado',
  published: 'Os dados já não podem ser alterados. Foi isto que enviou:',
  publishedEmpty: 'Os dados já não podem ser alterados, e com esta ligação não foi enviado nada.',
  given: 'O que enviou',
  choose: 'Não se sabe',
  sections: {
    product: {
      title: 'O produto',
      why: 'O peso decide a maior parte da pegada; tudo o resto é calculado por quilograma.',
    },
    places: {
      title: 'Onde se faz cada etapa',
      why: 'Do país dependem a eletricidade e o calor considerados e a distância que a mercadoria percorre.',
    },
    fabric: {
      title: 'Fio e tecido',
      why: 'Fiar um fio fino gasta mais eletricidade, e a malha gasta menos do que a tecelagem.',
    },
    dyeing: { title: 'Tingimento', why: 'A água quente e o vapor são muitas vezes a maior parte da produção.' },
    making: {
      title: 'Corte e confeção',
      why: 'Também o desperdício do corte teve de ser fiado, tricotado ou tecido e tingido.',
    },
    transport: { title: 'Transporte', why: 'Um voo pesa cerca de trinta vezes mais do que o mesmo percurso de navio.' },
    certificates: {
      title: 'Certificados',
      why: 'Aparecem no passaporte com a sua validade. Deixe em branco as linhas de que não precisa; há sempre três livres.',
    },
    notes: { title: 'Outras informações', why: 'Só a marca as lê; não aparecem no passaporte.' },
  },
  fields: {
    productWeightKg: { label: 'Peso de uma peça acabada', help: 'Sem embalagem, tamanho médio. Exemplo: 0,18' },
    quantityProduced: { label: 'Peças produzidas', help: 'Neste lote. Apenas para informação.' },
    productionDate: { label: 'Data de produção', help: 'O dia em que o lote ficou pronto.' },
    facilityId: { label: 'Unidade fabril', help: 'Onde o lote foi produzido.' },
    'countries.spinning': { label: 'Fiação', help: 'País onde o fio foi fiado.' },
    'countries.fabric': { label: 'Tricotagem ou tecelagem', help: 'País onde o tecido ou a malha foi feito.' },
    'countries.dyeing': { label: 'Tingimento e acabamento', help: 'País da tinturaria.' },
    'countries.making': { label: 'Corte e confeção', help: 'País onde a peça foi confecionada.' },
    fabricProcess: { label: 'Como é feito o tecido', help: 'O tecido principal da peça.' },
    yarnNm: {
      label: 'Título do fio (Nm)',
      help: 'Metros de fio num grama, de 1 a 500. Ne × 1,69 = Nm. Exemplo: 40',
    },
    'dyeing.electricityKwhPerKg': {
      label: 'Eletricidade da tinturaria',
      help: 'Por quilograma de tecido. Habitual: 0,8 a 1,2',
    },
    'dyeing.heatMjPerKg': {
      label: 'Calor da tinturaria',
      help: 'Vapor e água quente, por quilograma de tecido. Habitual: 16 a 33',
    },
    'dyeing.fuel': { label: 'Combustível para o calor', help: 'O que a caldeira queima.' },
    cuttingLossPct: {
      label: 'Desperdício de corte',
      help: 'Parte do tecido que se torna desperdício. Habitual: 10 a 20',
    },
    makingElectricityKwh: {
      label: 'Eletricidade da confeção',
      help: 'Para todo o lote, todas as linhas em conjunto.',
    },
    airSharePct: {
      label: 'Parte enviada por via aérea',
      help: 'Deste lote, da vossa fábrica ao mercado. 0 se nenhuma.',
    },
    notes: { label: 'Observações', help: 'Por exemplo, como foram medidos os valores.' },
  },
  units: { kg: 'kg', pieces: 'peças', nm: 'Nm', kwhPerKg: 'kWh/kg', mjPerKg: 'MJ/kg', percent: '%', kwh: 'kWh' },
  processes: {
    knitting_circular: 'Malha circular',
    knitting_flat: 'Malha retilínea',
    knitting_fully_fashioned: 'Malha com diminuições (fully fashioned)',
    knitting_seamless: 'Malha sem costuras (peça inteira)',
    knitting_average: 'Malha, tipo não conhecido',
    weaving: 'Tecelagem',
  },
  fuels: {
    natural_gas: 'Gás natural',
    light_fuel_oil: 'Fuelóleo leve',
    heavy_fuel_oil: 'Fuelóleo pesado',
    coal: 'Carvão',
  },
  certificate: (number) => `Certificado ${number}`,
  certificateFields: {
    type: { label: 'Tipo', help: 'Por exemplo GOTS, OEKO-TEX Standard 100, ISO 14001.' },
    number: { label: 'Número', help: '' },
    issuer: { label: 'Emitido por', help: '' },
    validFrom: { label: 'Válido desde', help: '' },
    validUntil: { label: 'Válido até', help: '' },
  },
  knownCertificates:
    'Os certificados do seu catálogo já estão preenchidos. Apague os que não dizem respeito a este lote.',
  saveDraft: 'Guardar rascunho',
  submit: 'Enviar à marca',
  footer: 'Esta ligação é pessoal. Não a reencaminhe: quem a tiver pode responder em seu nome.',
  withdrawnTitle: 'Este pedido foi retirado',
  withdrawn: 'A marca já não pede estes dados. Não precisa de fazer mais nada.',
  declinedTitle: 'Já não trabalham com esta marca',
  declined:
    'A sua empresa recusou trabalhar com ela, por isso este pedido não aceita respostas. Foi engano? Peça à marca que vos convide de novo: esta ligação volta a ser válida e o que guardou continua lá.',
  unknownTitle: 'Esta ligação não é conhecida',
  unknown: 'Talvez esteja incompleta. Abra-a de novo a partir do e-mail ou peça à marca que envie outra vez o pedido.',
};
