import { takeOrders } from '../../infrastructure/threads.js';
import { qrLabelPdf, qrPng, qrSvg } from '../../pages/qr/index.js';
import type { QrOrder } from './qr-codes.js';

takeOrders(async (order: QrOrder): Promise<Uint8Array> => {
  switch (order.format) {
    case 'svg':
      return Buffer.from(qrSvg(order.url, order.sizePx === null ? {} : { sizePx: order.sizePx }));
    case 'png':
      return qrPng(order.url, order.sizePx);
    case 'pdf':
      return qrLabelPdf(order);
  }
});
