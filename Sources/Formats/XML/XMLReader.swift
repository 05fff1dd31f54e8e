/// A format in XML. Names are passed without their prefixes.
public protocol XMLFormat {
    associatedtype Failure: Error
    mutating func start(_ name: Substring, _ attributes: [String: String]) throws(Failure)
    /// - Parameter text: the text directly before the end tag.
    mutating func end(_ name: Substring, _ text: String) throws(Failure)
    /// Called now and then, whatever is being read, to check a deadline.
    mutating func pause() throws(Failure)
}

extension XMLFormat {
    public mutating func pause() throws(Failure) {}
}

/// Why a document was not read.
public enum XMLError<Failure: Error>: Error {
    /// The reason, as the end of a sentence.
    case malformed(String, line: Int)
    /// The format has refused it.
    case refused(Failure, line: Int)
}

/// Reads XML (www.w3.org/TR/xml) with libexpat, even from hostile sources: a document type, which
/// may declare entities, is refused, and elements nest to a bounded depth. The size is the caller's
/// to bound.
///
/// Bytes are taken as UTF-8, whatever the document declares; invalid sequences become replacement
/// characters, since positions and times are ASCII in every encoding that recorders use.
public struct XMLReader<Format: XMLFormat> {
    private var format: Format
    private var text: [UInt8] = []
    private var depth = 0
    /// Events until the next pause.
    private var left = eventsBetweenPauses
    private var reason: String?
    private var failure: Format.Failure?

    /// - Returns: the format, once it has seen everything.
    public static func read(_ bytes: [UInt8], _ format: Format)
        throws(XMLError<Format.Failure>) -> Format
    {
        let document = Array(String(decoding: bytes, as: UTF8.self).utf8)
        let events = XMLEvents(XMLReader(format: format))
        let (isRead, line) = events.parse(document)
        guard let reader = events.receiver as? XMLReader else {
            throw .malformed("not well-formed XML", line: line)
        }
        if let failure = reader.failure { throw .refused(failure, line: line) }
        if let reason = reader.reason { throw .malformed(reason, line: line) }
        guard isRead else { throw .malformed("not well-formed XML", line: line) }
        return reader.format
    }

    private init(format: Format) { self.format = format }
}

/// The maximum nesting of elements.
private let maximumDepth = 100
/// The number of tags and text parts; a line is one part.
private let eventsBetweenPauses = 1_024

extension XMLReader: XMLReceiver {
    mutating func started(_ name: String, _ attributes: [String: String]) {
        guard !isStopped else { return }
        passEvent()
        depth += 1
        guard depth <= maximumDepth else { return reason = "its elements are nested too deeply" }
        guard name.utf8.count <= XMLEvents.longestName else {
            return reason = "the name of an element is too long"
        }
        text.removeAll(keepingCapacity: true)
        attempt { format throws(Format.Failure) in
            try format.start(name.withoutPrefix, attributes)
        }
    }

    mutating func ended(_ name: String) {
        guard !isStopped else { return }
        passEvent()
        depth -= 1
        let content = String(decoding: text, as: UTF8.self)
        text.removeAll(keepingCapacity: true)
        attempt { format throws(Format.Failure) in try format.end(name.withoutPrefix, content) }
    }

    mutating func read(_ bytes: some Sequence<UInt8>) {
        passEvent()
        text += bytes
    }

    private mutating func passEvent() {
        left -= 1
        guard left == 0 else { return }
        left = eventsBetweenPauses
        attempt { format throws(Format.Failure) in try format.pause() }
    }

    mutating func foundDocumentType() { reason = "it has a document type declaration" }

    var isStopped: Bool { failure != nil || reason != nil }

    private mutating func attempt(_ body: (inout Format) throws(Format.Failure) -> Void) {
        do throws(Format.Failure) {
            try body(&format)
        } catch {
            failure = error
        }
    }
}

extension String {
    fileprivate var withoutPrefix: Substring {
        lastIndex(of: ":").map { self[index(after: $0)...] } ?? self[...]
    }
}
