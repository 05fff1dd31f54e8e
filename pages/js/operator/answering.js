/// The words for a missing or refused response.

/// Whether there was no response, or only one from a proxy in front of the server.
export function isNoAnswer(problem) {
    return ["unreachable", "away"].includes(problem.kind);
}

/// Why the server rejects a token it knows: it belongs to another user, or the page is switched
/// off.
export function notAllowed(problem) {
    return problem.detail?.includes("web.operatorPage")
        ? "This server has no operator’s page: the setting web.operatorPage is false."
        : "This is a token, but not the operator’s.";
}

export const NO_ANSWER = "The server is not responding; retrying. On its machine, “kith doctor” "
    + "(“kithctl doctor” with the package) reports what is wrong, whether or not Kith is running.";
