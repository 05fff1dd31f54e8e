internal import Crypto
internal import Foundation
internal import HTTPTypes
internal import Hummingbird

/// A file of the pages, with its compressed forms beside it: `main.js`, `main.js.br`, `main.js.gz`.
struct PageFile: Sendable {
    private struct Form: Sendable {
        /// As in `Content-Encoding`; nil for the file as it is.
        let encoding: String?
        let bytes: ByteBuffer
        let tag: String
    }

    private let type: String
    /// The forms, the smallest first, the uncompressed file last.
    private let forms: [Form]
    /// Whether its name changes with its content, as ensured by `tools/bundle-page`.
    private let isNamedByDigest: Bool

    /// The endings of compressed files, with their encodings: those of the bundle, and Debian's.
    private static let compressed = [("br", "br"), ("brotli", "br"), ("gz", "gzip")]

    /// - Parameter compressed: returns the file of a path, for the compressed ones beside it; nil
    ///   if there is none.
    init(
        _ data: Data, type: String, path: String = "",
        compressed: (_ ending: String) -> Data? = { _ in nil }
    ) {
        self.type = type
        isNamedByDigest = path.contains(#/-[0-9A-Z]{8}\.[a-z]+$/#)
        let hash = SHA256.hash(data: data).prefix(12)
        let tag = hash.map { String($0, radix: 16) }.joined(separator: "-")
        var forms: [Form] = []
        for (ending, encoding) in PageFile.compressed
        where !forms.contains(where: { $0.encoding == encoding }) {
            guard let bytes = compressed(ending), bytes.count < data.count else { continue }
            forms.append(
                Form(
                    encoding: encoding, bytes: ByteBuffer(bytes: bytes),
                    tag: "\"\(tag)-\(encoding)\""))
        }
        forms.sort { $0.bytes.readableBytes < $1.bytes.readableBytes }
        self.forms =
            forms + [Form(encoding: nil, bytes: ByteBuffer(bytes: data), tag: "\"\(tag)\"")]
    }

    func response(to request: Request) -> Response {
        let accepted = AcceptedEncodings(request.headers[.acceptEncoding])
        guard let form = forms.first(where: { $0.encoding.map(accepted.allows) ?? true }) else {
            preconditionFailure("the file as it is goes to everybody")
        }
        // Files named by their digest never change. Browsers keep the others, but revalidate them
        // each time, so that no one sees a partial update.
        var headers: HTTPFields = [
            .contentType: type, .eTag: form.tag,
            .cacheControl: isNamedByDigest ? "public, max-age=31536000, immutable" : "no-cache",
        ]
        if forms.count > 1 { headers[.vary] = "Accept-Encoding" }
        if request.headers[.ifNoneMatch] == form.tag {
            return Response(status: .notModified, headers: headers)
        }
        headers[.contentEncoding] = form.encoding
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: form.bytes))
    }
}

/// `Accept-Encoding` (RFC 9110, section 12.5.3): the encodings that may be sent.
struct AcceptedEncodings {
    private var allowed: Set<String> = []
    private var refused: Set<String> = []

    /// In bytes; browsers send about 30. A longer value is ignored.
    private static let longest = 256

    init(_ field: String?) {
        guard let field, field.utf8.count <= AcceptedEncodings.longest else { return }
        for part in field.lowercased().split(separator: ",") {
            let words = part.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
            guard let name = words.first else { continue }
            let isRefused = words.dropFirst().contains { word in
                word.hasPrefix("q=") && Double(word.dropFirst(2)) ?? 0 <= 0
            }
            if isRefused { refused.insert(name) } else { allowed.insert(name) }
        }
    }

    func allows(_ encoding: String) -> Bool {
        allowed.contains(encoding) || (allowed.contains("*") && !refused.contains(encoding))
    }
}
