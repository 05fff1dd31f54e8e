/// Whether typed text matches a thing: each word must begin one of the thing's words, ignoring
/// accents and case.

/// - Parameters:
///   - text: the typed text.
///   - names: all names of the thing.
export function matches(text, ...names) {
    const words = names.flatMap(wordsOf);
    return wordsOf(text).every((typed) => words.some((word) => word.startsWith(typed)));
}

function wordsOf(text) {
    return (text ?? "").normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()
        .split(/[^\p{L}\p{N}]+/u).filter(Boolean);
}
