internal import CExpat

/// A receiver of a document's content.
protocol XMLReceiver {
    mutating func started(_ name: String, _ attributes: [String: String])
    mutating func ended(_ name: String)
    mutating func read(_ bytes: some Sequence<UInt8>)
    mutating func foundDocumentType()
    /// Whether it accepts no more events.
    var isStopped: Bool { get }
}

/// The only Swift wrapper of libexpat.
final class XMLEvents {
    private(set) var receiver: any XMLReceiver

    init(_ receiver: any XMLReceiver) { self.receiver = receiver }

    /// - Returns: whether the whole document is well-formed, and the line where reading ended.
    func parse(_ document: [UInt8]) -> (isRead: Bool, line: Int) {
        guard document.count < Int(Int32.max), let parser = unsafe XML_ParserCreate("UTF-8") else {
            return (false, 1)
        }
        defer { unsafe XML_ParserFree(parser) }
        unsafe XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        unsafe XML_UseParserAsHandlerArg(parser)
        unsafe XML_SetElementHandler(
            parser,
            { parser, name, attributes in
                guard let parser = unsafe parser, let bytes = unsafe name,
                    let attributes = unsafe attributes
                else { return }
                let name = unsafe String(cString: bytes)
                let found = unsafe XMLEvents.read(attributes)
                unsafe XMLEvents.tell(parser) { $0.started(name, found) }
            },
            { parser, name in
                guard let parser = unsafe parser, let bytes = unsafe name else { return }
                let name = unsafe String(cString: bytes)
                unsafe XMLEvents.tell(parser) { $0.ended(name) }
            })
        unsafe XML_SetCharacterDataHandler(parser) { parser, bytes, count in
            guard let parser = unsafe parser else { return }
            let bytes = unsafe UnsafeBufferPointer(start: bytes, count: Int(count))
            let text = unsafe bytes.map { UInt8(bitPattern: $0) }
            unsafe XMLEvents.tell(parser) { $0.read(text) }
        }
        unsafe XML_SetStartDoctypeDeclHandler(parser) { parser, _, _, _, _ in
            guard let parser = unsafe parser else { return }
            unsafe XMLEvents.tell(parser) { $0.foundDocumentType() }
        }
        let status = unsafe document.withUnsafeBytes { bytes in
            unsafe XML_Parse(
                parser, bytes.bindMemory(to: CChar.self).baseAddress, Int32(bytes.count), 1)
        }
        return (status == XML_STATUS_OK, Int(unsafe XML_GetCurrentLineNumber(parser)))
    }

    /// - Parameter parser: libexpat's parser, whose user data are these events.
    private static func tell(
        _ parser: UnsafeMutableRawPointer, _ body: (inout any XMLReceiver) -> Void
    ) {
        let parser = OpaquePointer(parser)
        guard let data = unsafe expat_user_data(parser) else { return }
        let events = unsafe Unmanaged<XMLEvents>.fromOpaque(data).takeUnretainedValue()
        guard !events.receiver.isStopped else { return }
        body(&events.receiver)
        if events.receiver.isStopped { unsafe XML_StopParser(parser, XML_Bool(0)) }
    }

    /// In bytes. No format has names this long, and Swift compares and hashes text in a time that
    /// grows with the square of the number of combining marks in a row: a longer name is never
    /// compared.
    static let longestName = 256

    /// Names and values in turn, with a null pointer at the end. Those with longer names are left
    /// out.
    private static func read(_ list: UnsafeMutablePointer<UnsafePointer<CChar>?>) -> [String:
        String]
    {
        var attributes: [String: String] = [:]
        var index = 0
        while let name = unsafe list[index], let value = unsafe list[index + 1] {
            index += 2
            let key = unsafe String(cString: name)
            guard key.utf8.count <= longestName else { continue }
            attributes[key] = unsafe String(cString: value)
        }
        return attributes
    }
}
