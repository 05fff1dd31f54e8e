import Contract

/// The words of requests, for libFuzzer's dictionary: what is declared needs no line in
/// `Fuzz/dictionary.txt`.
public enum ContractWords {
    /// The names of methods and of their members, and the values that some of them list.
    public static var all: [String] {
        var words = Set(Method.all.map(\.name))
        for member in Method.all.flatMap({ ($0.ways + $0.operatorWays).joined() }) {
            add(member, to: &words)
        }
        return words.sorted()
    }

    private static func add(_ member: Schema.Member, to words: inout Set<String>) {
        words.insert(member.name)
        add(member.schema, to: &words)
    }

    private static func add(_ schema: Schema, to words: inout Set<String>) {
        switch schema {
        case .choice(let values): words.formUnion(values)
        case .object(let members): for member in members { add(member, to: &words) }
        case .array(.some(let element)): add(element, to: &words)
        case .either(let schemas): for schema in schemas { add(schema, to: &words) }
        default: break
        }
    }
}
