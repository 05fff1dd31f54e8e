internal import JSON

/// Members of a request, declared once: their names, valid values and result. Parsing with complete
/// error lists, the reference table, OpenAPI and AsyncAPI, and the tests with bad requests are
/// derived from it.
///
///     Form(Form("group", .group), Form("limit", .integer(1...100)).or(50)) { .list($0, $1) }
///
/// A part that is a tuple with an optional element can crash the compiler (Swift 6.3.1): use a
/// struct.
struct Form<Value>: Sendable {
    /// The members, one list for each way to send them.
    let ways: [[Schema.Member]]
    /// Nil if something was refused.
    let read: @Sendable (inout Fields, Method.Circumstances) -> Value?

    /// A form written by hand, for cases that nothing below covers.
    init(
        ways: [[Schema.Member]],
        read: @escaping @Sendable (inout Fields, Method.Circumstances) -> Value?
    ) {
        (self.ways, self.read) = (ways, read)
    }

    /// A required member.
    ///
    /// - Parameter words: its meaning, as part of a sentence, where its name is not sufficient.
    init(_ name: String, _ kind: Kind<Value>, _ words: String? = nil) {
        self.init(ways: [[.init(name, kind.schema, words)]]) { fields, circumstances in
            fields.required(name).flatMap { kind.read($0, name, &fields, circumstances) }
        }
    }

    /// All of these members, in this order.
    init<each Part>(
        _ part: repeat Form<each Part>,
        make: @escaping @Sendable (repeat each Part) -> Value
    ) {
        var ways: [[Schema.Member]] = [[]]
        for others in repeat (each part).ways {
            ways = ways.flatMap { way in others.map { way + $0 } }
        }
        self.init(ways: ways) { fields, circumstances in
            // All of them are read before the first missing one ends the parsing.
            let values = (repeat (each part).read(&fields, circumstances))
            do throws(Refused) {
                return make(repeat try (each values).accepted())
            } catch {
                return nil
            }
        }
    }

    var schema: Schema {
        ways.count == 1 ? .object(ways[0]) : .either(ways.map { .object($0) })
    }

    // MARK: Optional members

    /// Nil if none of the members is present.
    var ifPresent: Form<Value?> {
        let (names, read) = (names, read)
        return Form<Value?>(ways: optionalWays) { fields, circumstances in
            fields.hasAny(of: names)
                ? read(&fields, circumstances).map { .some($0) } : .some(nil)
        }
    }

    /// A required member that may be `null`.
    var nullable: Form<Value?> {
        let read = read
        let ways = ways.map { way in
            way.map { Schema.Member($0.name, .either([$0.schema, .null]), $0.words) }
        }
        return Form<Value?>(ways: ways) { fields, circumstances in
            ways.joined().contains { fields.isNull($0.name) }
                ? .some(nil) : read(&fields, circumstances).map { .some($0) }
        }
    }

    fileprivate var names: [String] { ways.flatMap { $0.map(\.name) } }
    fileprivate var optionalWays: [[Schema.Member]] { ways.map { $0.map(\.optional) } }

    // MARK: Dependencies between members

    func map<Other>(_ make: @escaping @Sendable (Value) -> Other) -> Form<Other> {
        reading { value, _, _ in make(value) }
    }

    /// Processes the parsed value, and refuses inconsistent members.
    ///
    /// - Parameter read: returns nil if it refused something.
    func reading<Other>(
        _ next: @escaping @Sendable (Value, inout Fields, Method.Circumstances) -> Other?
    ) -> Form<Other> {
        let read = read
        return Form<Other>(ways: ways) { fields, circumstances in
            read(&fields, circumstances).flatMap { next($0, &fields, circumstances) }
        }
    }

    /// Several alternatives: the first whose first member is present, and otherwise the first of
    /// all. An alternative that begins with a member that is `true` takes precedence.
    static func either(_ forms: Form...) -> Form {
        let order = forms.filter(\.isMarked) + forms.filter { !$0.isMarked }
        return Form(ways: forms.flatMap(\.ways)) { fields, circumstances in
            let form = order.first { $0.isMeant(fields) } ?? forms[0]
            return form.read(&fields, circumstances)
        }
    }

    private var isMarked: Bool { ways[0].first?.schema == .isTrue }

    private func isMeant(_ fields: Fields) -> Bool {
        guard let member = ways[0].first, member.isRequired, let value = fields[member.name]
        else { return false }
        return !isMarked || value != .bool(false)
    }

    /// Different members for each value of the first one.
    ///
    /// - Parameters:
    ///   - usual: the value if it is absent; nil: it is required.
    ///   - form: the other members.
    static func cases<Choice>(
        _ name: String, of type: Choice.Type, usual: Choice? = nil, _ words: String? = nil,
        form: (Choice) -> Form
    ) -> Form
    where
        Choice: CaseIterable & RawRepresentable & Hashable & Sendable, Choice.RawValue == String
    {
        var forms: [Choice: Form] = [:]
        // Values with the same members are one alternative.
        var ways: [(values: [Choice], others: [[Schema.Member]])] = []
        for value in Choice.allCases {
            let form = form(value)
            forms[value] = form
            if let place = ways.firstIndex(where: { $0.others == form.ways }) {
                ways[place].values.append(value)
            } else {
                ways.append(([value], form.ways))
            }
        }
        let first = Form<Choice>(name, .choice(of: type))
        let all = ways.flatMap { way in
            let member = Schema.Member(
                name, isRequired: usual.map { !way.values.contains($0) } ?? true,
                .choice(way.values.map(\.rawValue)), words)
            return way.others.map { [member] + $0 }
        }
        let known = Choice.allCases.compactMap { value in forms[value].map { (value, $0) } }
        return Form(ways: all) { fields, circumstances in
            let choice =
                usual != nil && fields[name] == nil ? usual : first.read(&fields, circumstances)
            if let form = known.first(where: { $0.0 == choice })?.1 {
                return form.read(&fields, circumstances)
            }
            fields.refuseWhatever(known.map(\.1), circumstances)
            return nil
        }
    }

    /// Members that refuse all others, where a person's safety depends on the intent.
    ///
    /// - Parameter envelope: members that are still allowed.
    func withoutOthers(beside envelope: [String] = []) -> Form {
        let (names, read) = (names, read)
        return Form(ways: ways) { fields, circumstances in
            fields.refuseOthers(than: names + envelope)
            return read(&fields, circumstances)
        }
    }
}

extension Form where Value: Sendable {
    /// Adds a default for when none of the members is present.
    func or(_ value: Value) -> Form {
        let (names, read) = (names, read)
        return Form(ways: optionalWays) { fields, circumstances in
            fields.hasAny(of: names) ? read(&fields, circumstances) : value
        }
    }

    /// A member in which `null` removes the current value.
    var orNull: Form<Edit<Value>> {
        let (names, read) = (names, read)
        let ways = optionalWays.map { way in
            way.map {
                Schema.Member($0.name, isRequired: false, .either([$0.schema, .null]), $0.words)
            }
        }
        return Form<Edit<Value>>(ways: ways) { fields, circumstances in
            if names.contains(where: fields.isNull) { return .remove }
            guard fields.hasAny(of: names) else { return .keep }
            return read(&fields, circumstances).map { .set($0) }
        }
    }
}

extension Form where Value == Void {
    /// A member that must be `true`.
    static func isTrue(_ name: String) -> Form {
        Form(ways: [[.init(name, .isTrue)]]) { fields, _ in
            if fields[name] == .bool(true) { return () }
            fields.refuse(name, "must be true")
            return nil
        }
    }
}

extension Fields {
    /// Reports errors that apply to every form.
    fileprivate mutating func refuseWhatever<Value>(
        _ forms: [Form<Value>], _ circumstances: Method.Circumstances
    ) {
        let found = forms.map { form in
            var fields = self
            _ = form.read(&fields, circumstances)
            return Array(fields.errors.dropFirst(errors.count))
        }
        for error in found[0] where found.allSatisfy({ $0.contains(error) }) {
            errors.append(error)
        }
    }
}

private struct Refused: Error {}

extension Optional {
    fileprivate func accepted() throws(Refused) -> Wrapped {
        guard let self else { throw Refused() }
        return self
    }
}

extension Form where Value == Int {
    /// The maximum number of entries per page, for lists sorted newest first.
    static let limit = Form("limit", .integer(1...100), "default 50").or(50)
}
