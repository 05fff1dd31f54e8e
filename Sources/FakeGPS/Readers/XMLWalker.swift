/// An XML format that contains positions. Names are passed without their prefixes.
protocol XMLDialect {
    mutating func start(_ name: Substring, _ attributes: [String: String]) throws(TrackError)
    /// - Parameter text: the text directly before the end tag.
    mutating func end(_ name: Substring, _ text: String) throws(TrackError)
}

/// Parses an XML document (www.w3.org/TR/xml) for a dialect; errors give the place.
///
/// We have our own parser because FoundationXML's traps on malformed documents. It covers what
/// recorders write: a document type declaration, which may declare entities, is refused. Bytes are
/// taken as UTF-8; invalid sequences become replacement characters, since positions and times are
/// ASCII in every encoding that recorders use.
struct XMLWalker<Dialect: XMLDialect> {
    private let bytes: [UInt8]
    private var position = 0
    private var dialect: Dialect
    /// The names of the open elements.
    private var open: [String] = []
    private var hasRoot = false
    private var text: [UInt8] = []

    private static var malformed: TrackError { TrackError(.malformed("not well-formed XML")) }

    static func walk(_ bytes: [UInt8], _ dialect: Dialect) throws(TrackError) -> Dialect {
        var walker = XMLWalker(bytes: bytes, dialect: dialect)
        do throws(TrackError) {
            try walker.document()
        } catch {
            let before = bytes.prefix(walker.position)
            throw TrackError(error.reason, line: 1 + before.count { $0 == UInt8(ascii: "\n") })
        }
        return walker.dialect
    }

    private init(bytes: [UInt8], dialect: Dialect) {
        self.bytes = bytes
        self.dialect = dialect
    }

    private mutating func document() throws(TrackError) {
        _ = skip("\u{FEFF}")
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "<") {
                try markup()
            } else if open.isEmpty {
                guard isSpace else { throw Self.malformed }
                position += 1
            } else {
                text += try characters(before: UInt8(ascii: "<"))
            }
        }
        guard hasRoot, open.isEmpty else { throw Self.malformed }
    }

    private mutating func markup() throws(TrackError) {
        if skip("<!--") {
            _ = try content(before: "-->")
        } else if skip("<?") {
            _ = try content(before: "?>")
        } else if skip("<![CDATA[") {
            guard !open.isEmpty else { throw Self.malformed }
            text += try content(before: "]]>")
        } else if skip("</") {
            try endTag()
        } else if skip("<!") {
            throw TrackError(.malformed("it has a document type declaration"))
        } else {
            try startTag()
        }
    }

    // MARK: Tags

    private mutating func startTag() throws(TrackError) {
        guard skip("<"), !open.isEmpty || !hasRoot else { throw Self.malformed }
        hasRoot = true
        let name = try name()
        var attributes: [String: String] = [:]
        skipSpace()
        while !skip(">") {
            if skip("/>") {
                try dialect.start(name.withoutPrefix, attributes)
                try dialect.end(name.withoutPrefix, "")
                text.removeAll(keepingCapacity: true)
                return
            }
            let attribute = try self.name()
            skipSpace()
            guard skip("=") else { throw Self.malformed }
            skipSpace()
            attributes[attribute] = try quotedValue()
            skipSpace()
        }
        try dialect.start(name.withoutPrefix, attributes)
        open.append(name)
        text.removeAll(keepingCapacity: true)
    }

    private mutating func endTag() throws(TrackError) {
        let name = try name()
        skipSpace()
        guard skip(">"), open.popLast() == name else { throw Self.malformed }
        try dialect.end(name.withoutPrefix, String(decoding: text, as: UTF8.self))
        text.removeAll(keepingCapacity: true)
    }

    private mutating func name() throws(TrackError) -> String {
        let start = position
        while position < bytes.count, !isSpace, !"<>/='\"&".utf8.contains(bytes[position]) {
            position += 1
        }
        guard position > start else { throw Self.malformed }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func quotedValue() throws(TrackError) -> String {
        guard position < bytes.count, case let quote = bytes[position],
            quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
        else { throw Self.malformed }
        position += 1
        let value = try characters(before: quote)
        guard position < bytes.count else { throw Self.malformed }
        position += 1
        return String(decoding: value, as: UTF8.self)
    }

    // MARK: Text

    /// Returns the text up to `stop` or the end, with entities replaced.
    private mutating func characters(before stop: UInt8) throws(TrackError) -> [UInt8] {
        var text: [UInt8] = []
        while position < bytes.count, bytes[position] != stop {
            if skip("&") {
                text += try entity()
            } else {
                text.append(bytes[position])
                position += 1
            }
        }
        return text
    }

    private mutating func entity() throws(TrackError) -> [UInt8] {
        let name = String(decoding: try content(before: ";").prefix(16), as: UTF8.self)
        switch name {
        case "lt": return Array("<".utf8)
        case "gt": return Array(">".utf8)
        case "amp": return Array("&".utf8)
        case "quot": return Array("\"".utf8)
        case "apos": return Array("'".utf8)
        default:
            let digits = name.dropFirst(name.hasPrefix("#x") ? 2 : 1)
            guard name.hasPrefix("#"),
                let code = UInt32(digits, radix: name.hasPrefix("#x") ? 16 : 10), code > 0,
                let scalar = Unicode.Scalar(code)
            else { throw Self.malformed }
            return Array(String(Character(scalar)).utf8)
        }
    }

    /// Returns the text up to `end` and continues after it.
    private mutating func content(before end: StaticString) throws(TrackError) -> ArraySlice<UInt8>
    {
        let start = position
        while position < bytes.count {
            let here = position
            if skip(end) { return bytes[start..<here] }
            position += 1
        }
        throw Self.malformed
    }

    private var isSpace: Bool {
        switch bytes[position] {
        case 0x20, 0x09, 0x0A, 0x0D: true
        default: false
        }
    }

    private mutating func skipSpace() {
        while position < bytes.count, isSpace { position += 1 }
    }

    private mutating func skip(_ word: StaticString) -> Bool {
        let letters = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard bytes[position...].starts(with: letters) else { return false }
        position += letters.count
        return true
    }
}

extension String {
    fileprivate var withoutPrefix: Substring {
        lastIndex(of: ":").map { self[index(after: $0)...] } ?? self[...]
    }
}
