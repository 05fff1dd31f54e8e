/// Whether what somebody has typed names a thing: each word has to begin one of the thing's words,
/// whatever its accents and case.

/// - Parameters:
///   - text: what was typed.
///   - names: all that the thing is called.
export function matches(text, ...names) {
    const words = names.flatMap(wordsOf);
    return wordsOf(text).every((typed) => words.some((word) => word.startsWith(typed)));
}

function wordsOf(text) {
    return (text ?? "").normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()
        .split(/[^\p{L}\p{N}]+/u).filter(Boolean);
}
