export const unread = { alerts: () => 0, chat: () => 0 };
