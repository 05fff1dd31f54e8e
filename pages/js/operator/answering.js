/// What is said when no answer comes.

/// Whether nobody has answered, or only a proxy in front of the server.
export function isNoAnswer(problem) {
    return ["unreachable", "away"].includes(problem.kind);
}

/// Why the server rejects a token that it knows: it belongs to somebody else, or the page is switched off.
export function notAllowed(problem) {
    return problem.detail?.includes("web.operatorPage")
        ? "This server has no operator’s page: the setting web.operatorPage is false."
        : "This is a token, but not the operator’s.";
}

export const NO_ANSWER = "The server does not answer; it is asked again and again. On its machine, "
    + "“kith doctor” (with the package “kithctl doctor”) says what is wrong, whether or not Kith runs.";
