import type { FactoryMailTexts } from './en.js';

export const pt: FactoryMailTexts = {
  invitation: {
    subject: (brand) => `${brand} convida a sua empresa a partilhar dados de produção`,
    heading: (brand) => `Convite de ${brand}`,
    body: (brand, factory) =>
      `${brand} tem ${factory} na sua lista de fornecedores e prepara passaportes de produto para o que fazem em conjunto. Gostaria de lhe pedir dados de produção.`,
    next: 'Crie uma conta para ver todos os pedidos num só lugar. Demora um minuto e não custa nada. As páginas da conta estão em inglês; o formulário está em português.',
    action: 'Aceitar ou recusar o convite',
    decline:
      'Não está interessado? Abra a mesma ligação e escolha «Decline» (recusar): a marca deixa de lhe poder enviar pedidos.',
  },
  linked: {
    heading: (brand) => `${brand} adicionou a sua empresa como fornecedor`,
    body: (brand, factory) =>
      `${brand} tem ${factory} na sua lista de fornecedores. Como já tem uma conta, a associação ficou feita; não precisa de fazer nada.`,
    action: 'Ver a marca ou recusar',
    decline:
      'Não trabalha com esta marca? Abra a ligação e escolha «Decline» (recusar): a marca deixa de lhe poder enviar pedidos.',
  },
  request: {
    subject: {
      request: (brand, product) => `${brand} pede dados de produção: ${product}`,
      brand_reminder: (brand, product) => `Lembrete de ${brand}: dados de produção de ${product}`,
      reminder_1: (brand, product) => `Lembrete: ${brand} espera dados sobre ${product}`,
      reminder_2: (brand, product) => `Último lembrete: ${brand} espera dados sobre ${product}`,
      changes_requested: (brand, product) => `${brand} pede alterações: ${product}`,
    },
    heading: {
      request: (brand) => `${brand} pede dados de produção`,
      reminder: (brand) => `${brand} continua à espera dos seus dados`,
      changes_requested: (brand) => `${brand} pede alterações`,
    },
    hello: (factory) => `Bom dia, ${factory},`,
    body: {
      factory: (brand) =>
        `${brand} prepara um passaporte de produto para um lote que a sua empresa produz. Os seus valores (pesos, energia, países) substituem valores predefinidos no cálculo da pegada climática.`,
      sub_supplier: (brand) =>
        `${brand} prepara um passaporte de produto para um lote que contém um material da sua empresa. Os valores da sua etapa substituem valores predefinidos no cálculo da pegada climática.`,
    },
    reminder: {
      brand_reminder: 'A marca pediu-nos que lhe lembrássemos: a sua resposta ainda não chegou.',
      reminder_1: 'Recebeu este pedido há uma semana e a sua resposta ainda não chegou.',
      reminder_2:
        'Recebeu este pedido há duas semanas e a sua resposta ainda não chegou. Este é o último lembrete; a marca será informada de que os dados faltam.',
    },
    changes:
      'A marca viu a sua resposta e pede-lhe que altere algo. A ligação abaixo é a que já conhece; o que enviou antes está preenchido.',
    product: 'Produto',
    sku: 'Referência do artigo',
    order: 'Encomenda',
    quantity: 'Quantidade',
    feedback: (brand) => `O que ${brand} pede para alterar`,
    action: 'Abrir o formulário',
    form: 'Não precisa de conta. Pode guardar um rascunho e voltar mais tarde; o que não souber pode ficar vazio.',
    secret: 'Esta ligação é pessoal: quem a tiver pode responder em seu nome.',
  },
  notes: (brand) => `Mensagem de ${brand}`,
};
