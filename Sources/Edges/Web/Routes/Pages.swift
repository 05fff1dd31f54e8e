internal import Foundation
internal import HTTPTypes
internal import Hummingbird

/// The files of the pages, all held in memory: only these are served, whatever path is requested.
struct Pages: Sendable {
    private let pages: [String: PageFile]
    private let files: OperatorFiles

    /// - Throws: ``WebError`` if the directories cannot be read.
    init(_ settings: WebSettings, _ files: OperatorFiles) throws(WebError) {
        self.files = files
        var pages = try Pages.read(settings.pages, below: "")
        guard let start = pages["/index.html"] else { throw .noPages(settings.pages) }
        pages["/"] = start
        // Unbundled modules load the libraries; a bundle contains them.
        if pages["/js/main.js"] != nil {
            for directory in settings.libraries {
                pages.merge(try Pages.library(directory)) { $1 }
            }
        }
        if let authority = settings.server.certificate?.authority {
            guard let data = FileManager.default.contents(atPath: authority) else {
                throw .noCertificate(authority)
            }
            pages["/ca.crt"] = PageFile(data, type: "application/x-x509-ca-cert")
        }
        self.pages = pages
    }

    func has(_ path: String) -> Bool { pages[path] != nil || files.hasText(at: path) }

    /// - Parameter path: the requested path.
    func response(to request: Request, path: String) throws(Refusal) -> Response {
        guard let page = try files.text(at: path) ?? pages[path] else {
            throw Refusal(.notFound, "There is nothing at this address.")
        }
        return page.response(to: request)
    }

    /// A library, below the name of its directory; Leaflet under the name that the page's modules
    /// know, in Debian's minified build.
    private static func library(_ directory: String) throws(WebError) -> [String: PageFile] {
        var pages = try read(directory, below: "/\((directory as NSString).lastPathComponent)")
        if let small = pages["/leaflet/leaflet.esm.min.js"] {
            pages["/leaflet/leaflet.esm.js"] = small
        }
        return pages
    }

    private static func read(_ directory: String, below path: String) throws(WebError)
        -> [String: PageFile]
    {
        var pages: [String: PageFile] = [:]
        let names: [String]
        do {
            names = try FileManager.default.subpathsOfDirectory(atPath: directory)
        } catch {
            throw .noPages(directory)
        }
        let all = Set(names)
        for name in names {
            // Directories have none of these extensions.
            guard let type = types[(name as NSString).pathExtension] else { continue }
            guard let data = FileManager.default.contents(atPath: "\(directory)/\(name)") else {
                throw .noPages(directory)
            }
            pages["\(path)/\(name)"] = PageFile(data, type: type, path: name) { ending in
                let compressed = "\(name).\(ending)"
                guard all.contains(compressed) else { return nil }
                return FileManager.default.contents(atPath: "\(directory)/\(compressed)")
            }
        }
        return pages
    }

    /// - Parameter ending: `html` or another one that the pages have.
    static func type(_ ending: String) -> String { types[ending] ?? "" }

    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml", "png": "image/png",
        "webmanifest": "application/manifest+json", "json": "application/json",
        "txt": "text/plain; charset=utf-8",
    ]
}
