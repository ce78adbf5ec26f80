import type { FactoryMailTexts } from './en.js';

export const es: FactoryMailTexts = {
  invitation: {
    subject: (brand) => `${brand} les invita a compartir datos de producción`,
    heading: (brand) => `${brand} les invita`,
    body: (brand, factory) =>
      `${brand} cuenta a ${factory} entre sus proveedores y prepara pasaportes de producto para lo que fabrican juntos. Quisiera pedirles datos de producción.`,
    next: 'Creen una cuenta para ver todas las solicitudes en un solo lugar. Se tarda un minuto y no cuesta nada.',
    action: 'Aceptar o rechazar la invitación',
    decline: '¿No lo desean? Abran el mismo enlace y elijan «Rechazar»: la marca ya no podrá enviarles solicitudes.',
  },
  linked: {
    heading: (brand) => `${brand} les ha añadido como proveedor`,
    body: (brand, factory) =>
      `${brand} cuenta a ${factory} entre sus proveedores. Como ya tienen una cuenta, el vínculo está hecho; no tienen que hacer nada.`,
    action: 'Ver la marca, o rechazar',
    decline:
      '¿No trabajan con esta marca? Abran el enlace y elijan «Rechazar»: la marca ya no podrá enviarles solicitudes.',
  },
  request: {
    subject: {
      request: (brand, product) => `${brand} solicita datos de producción: ${product}`,
      brand_reminder: (brand, product) => `Recordatorio de ${brand}: datos de producción de ${product}`,
      reminder_1: (brand, product) => `Recordatorio: ${brand} espera los datos de ${product}`,
      reminder_2: (brand, product) => `Último recordatorio: ${brand} espera los datos de ${product}`,
      changes_requested: (brand, product) => `${brand} solicita cambios: ${product}`,
    },
    heading: {
      request: (brand) => `${brand} solicita datos de producción`,
      reminder: (brand) => `${brand} sigue esperando sus datos`,
      changes_requested: (brand) => `${brand} solicita cambios`,
    },
    hello: (factory) => `Buenos días, ${factory}:`,
    body: {
      factory: (brand) =>
        `${brand} prepara un pasaporte de producto para un lote que fabrican ustedes. Sus cifras (pesos, energía, países) sustituyen valores por defecto en su huella climática.`,
      sub_supplier: (brand) =>
        `${brand} prepara un pasaporte de producto para un lote que contiene un material de ustedes. Sus cifras sobre su propio paso sustituyen valores por defecto en su huella climática.`,
    },
    reminder: {
      brand_reminder: 'La marca nos ha pedido que se lo recordemos: su respuesta no ha llegado todavía.',
      reminder_1: 'Recibieron esta solicitud hace una semana y su respuesta no ha llegado todavía.',
      reminder_2:
        'Recibieron esta solicitud hace dos semanas y su respuesta no ha llegado todavía. Este es el último recordatorio; la marca sabrá que faltan los datos.',
    },
    changes:
      'La marca ha leído su respuesta y les pide que cambien algo. El enlace de abajo es el que ya conocen; lo que enviaron ya está rellenado.',
    product: 'Producto',
    sku: 'Referencia',
    order: 'Pedido',
    quantity: 'Cantidad',
    feedback: (brand) => `Lo que ${brand} les pide cambiar`,
    action: 'Abrir el formulario',
    form: 'No hace falta una cuenta. Pueden guardar un borrador y volver; lo que no sepan puede quedar vacío.',
    secret: 'Este enlace es solo para ustedes: quien lo tenga puede responder en su nombre.',
  },
  notes: (brand) => `Mensaje de ${brand}`,
};
