import type { FactoryMailTexts } from './en.js';

export const zh: FactoryMailTexts = {
  invitation: {
    subject: (brand) => `${brand} 邀请您提供生产数据`,
    heading: (brand) => `${brand} 邀请您`,
    body: (brand, factory) =>
      `${brand} 将 ${factory} 列为供应商，并为双方合作的产品制作产品护照，希望请您提供生产数据。`,
    next: '注册账户后，可在一处查看所有请求。只需一分钟，完全免费。账户页面为英文，填报表单为中文。',
    action: '接受或拒绝邀请',
    decline: '不需要？请打开同一链接并选择“Decline”（拒绝），此后该品牌将无法再向您发送请求。',
  },
  linked: {
    heading: (brand) => `${brand} 已将您添加为供应商`,
    body: (brand, factory) => `${brand} 将 ${factory} 列为供应商。您已有账户，因此已直接建立关联，无需任何操作。`,
    action: '查看品牌或拒绝',
    decline: '您并未与该品牌合作？请打开链接并选择“Decline”（拒绝），此后该品牌将无法再向您发送请求。',
  },
  request: {
    subject: {
      request: (brand, product) => `${brand} 邀请您填报生产数据：${product}`,
      brand_reminder: (brand, product) => `${brand} 提醒您：${product} 的生产数据`,
      reminder_1: (brand, product) => `提醒：${brand} 正在等待 ${product} 的数据`,
      reminder_2: (brand, product) => `最后提醒：${brand} 正在等待 ${product} 的数据`,
      changes_requested: (brand, product) => `${brand} 请您修改：${product}`,
    },
    heading: {
      request: (brand) => `${brand} 邀请您填报生产数据`,
      reminder: (brand) => `${brand} 仍在等待您的数据`,
      changes_requested: (brand) => `${brand} 请您修改`,
    },
    hello: (factory) => `${factory}，您好！`,
    body: {
      factory: (brand) =>
        `${brand} 正在为您生产的一个批次制作产品护照。您填写的数据（重量、能耗、国家）将取代碳足迹核算中的默认值。`,
      sub_supplier: (brand) =>
        `${brand} 正在为一个批次制作产品护照，其中一种原料由贵厂供应。您所负责工序的数据将取代碳足迹核算中的默认值。`,
    },
    reminder: {
      brand_reminder: '品牌方请我们提醒您：尚未收到您的答复。',
      reminder_1: '此请求已于一周前发给您，尚未收到您的答复。',
      reminder_2: '此请求已于两周前发给您，尚未收到您的答复。这是最后一次提醒，我们将告知品牌方数据仍缺失。',
    },
    changes: '品牌方已查看您的答复，请您作出修改。下方仍是您已有的链接，您之前提交的内容已填好。',
    product: '产品',
    sku: '货号',
    order: '订单号',
    quantity: '数量',
    feedback: (brand) => `${brand} 希望修改的内容`,
    action: '打开表单',
    form: '无需注册账户。您可以保存草稿，稍后继续填写；不清楚的栏目可以留空。',
    secret: '此链接仅供您本人使用：任何持有此链接的人都可以代您填报。',
  },
  notes: (brand) => `${brand} 的留言`,
};
