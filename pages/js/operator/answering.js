/// What is said when no answer comes.

/// Whether nobody has answered, or only a proxy in front of the server.
export function isNoAnswer(problem) {
    return ["unreachable", "away"].includes(problem.kind);
}

export const NO_ANSWER = "The server does not answer; it is asked again and again. On its machine, "
    + "“kith doctor” (with the package “kithctl doctor”) says what is wrong, whether or not Kith runs.";
