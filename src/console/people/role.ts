/** What a member may do in an account, from the least to all. */
export const MEMBER_ROLES = ['viewer', 'member', 'developer', 'owner'] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

/** True if a role may do what `needed` may. */
export function mayActAs(role: MemberRole, needed: MemberRole): boolean {
  return MEMBER_ROLES.indexOf(role) >= MEMBER_ROLES.indexOf(needed);
}
