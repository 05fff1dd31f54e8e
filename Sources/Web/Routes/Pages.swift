internal import Crypto
internal import Foundation
internal import HTTPTypes
internal import Hummingbird

/// The files of the pages, all held in memory: only these are served, whatever the requested path
/// looks like.
struct Pages: Sendable {
    private struct Page: Sendable {
        let bytes: ByteBuffer
        let type: String
        let tag: String
    }

    private let pages: [String: Page]

    /// - Throws: ``WebError`` if the directories cannot be read.
    init(_ settings: WebSettings) throws(WebError) {
        var pages = try Pages.read(settings.pages, below: "")
        guard let start = pages["/index.html"] else { throw .noPages(settings.pages) }
        pages["/"] = start
        pages.merge(try Pages.read(settings.leaflet, below: "/leaflet")) { $1 }
        for (address, file) in Pages.texts(of: settings) {
            pages[address] = try Pages.text(file)
        }
        self.pages = pages
    }

    /// The addresses of the operator's texts, with their files.
    static func texts(of settings: WebSettings) -> [(address: String, file: String)] {
        [("/terms", settings.terms?.terms), ("/privacy", settings.terms?.privacy)]
            .compactMap { address, file in file.map { (address, $0) } }
    }

    /// HTML by its extension, and plain text whatever else it is called.
    private static func text(_ file: String) throws(WebError) -> Page {
        guard let data = FileManager.default.contents(atPath: file) else { throw .noText(file) }
        let isHTML = (file as NSString).pathExtension == "html"
        return page(data, type: isHTML ? types["html"] ?? "" : types["txt"] ?? "")
    }

    private static func page(_ data: Data, type: String) -> Page {
        let hash = SHA256.hash(data: data).prefix(12)
        let tag = hash.map { String($0, radix: 16) }.joined(separator: "-")
        return Page(bytes: ByteBuffer(bytes: data), type: type, tag: "\"\(tag)\"")
    }

    func has(_ path: String) -> Bool { pages[path] != nil }

    /// - Parameter path: as requested.
    func response(to request: Request, path: String) throws(Refusal) -> Response {
        guard let page = pages[path] else {
            throw Refusal(.notFound, "There is nothing at this address.")
        }
        // Browsers cache it but revalidate each time, so nobody sees half of an update.
        let headers: HTTPFields = [
            .contentType: page.type, .cacheControl: "no-cache", .eTag: page.tag,
        ]
        if request.headers[.ifNoneMatch] == page.tag {
            return Response(status: .notModified, headers: headers)
        }
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: page.bytes))
    }

    private static func read(_ directory: String, below path: String) throws(WebError)
        -> [String: Page]
    {
        var pages: [String: Page] = [:]
        let names: [String]
        do {
            names = try FileManager.default.subpathsOfDirectory(atPath: directory)
        } catch {
            throw .noPages(directory)
        }
        for name in names {
            // Directories have none of these extensions.
            guard let type = types[(name as NSString).pathExtension] else { continue }
            guard let data = FileManager.default.contents(atPath: "\(directory)/\(name)") else {
                throw .noPages(directory)
            }
            pages["\(path)/\(name)"] = page(data, type: type)
        }
        return pages
    }

    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml", "png": "image/png",
        "webmanifest": "application/manifest+json", "json": "application/json",
        "txt": "text/plain; charset=utf-8",
    ]
}
