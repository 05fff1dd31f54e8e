/// Pictures of people.

/// Where the picture of somebody is; `digest` says which one, so it never changes under its address.
export function avatarUrl(user, digest) {
    return `/api/avatars/${encodeURIComponent(user)}/${encodeURIComponent(digest)}`;
}
