export type Role = 'owner' | 'editor' | 'auditor';
