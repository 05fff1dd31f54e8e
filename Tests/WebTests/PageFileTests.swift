import Foundation
import HTTPTypes
import Hummingbird
import TestSupport
import Testing

@testable import Web

/// How the page's files are served.
struct PageFileTests {
    private static let text = Data(String(repeating: "let one = 1;\n", count: 100).utf8)
    private static let brotli = Data([1, 2, 3])
    private static let gzip = Data([4, 5, 6, 7])

    private func file(
        _ path: String = "js/main.js", endings: [String: Data] = ["br": brotli, "gz": gzip]
    ) -> PageFile {
        PageFile(PageFileTests.text, type: "text/javascript", path: path) { endings[$0] }
    }

    private func ask(
        _ file: PageFile, accept: String? = nil, tag: String? = nil
    ) -> Response {
        var fields = HTTPFields()
        fields[.acceptEncoding] = accept
        fields[.ifNoneMatch] = tag
        let head = HTTPRequest(
            method: .get, scheme: "http", authority: "kith.example", path: "/", headerFields: fields
        )
        return file.response(to: Request(head: head, body: .init(buffer: .init())))
    }

    @Test(arguments: [
        ("gzip, deflate, br", "br"), ("gzip", "gzip"), ("GZIP;q=0.5", "gzip"),
        ("br;q=0, gzip", "gzip"),
        ("br;q=0.0,gzip;q=0", nil), ("*", "br"), ("*, br;q=0", "gzip"), ("identity", nil),
        ("brx", nil),
        ("", nil), (nil, nil),
    ])
    func `A browser gets the smallest encoding that it accepts`(
        _ accepted: String?, _ encoding: String?
    ) {
        let response = ask(file(), accept: accepted)
        #expect(response.headers[.contentEncoding] == encoding)
        #expect(response.headers[.vary] == "Accept-Encoding")
        let length = [
            "br": PageFileTests.brotli.count, "gzip": PageFileTests.gzip.count,
        ][encoding ?? ""]
        #expect(response.body.contentLength == length ?? PageFileTests.text.count)
    }

    @Test func `A compressed file has its own tag and is not sent twice`() throws {
        let whole = try #require(ask(file()).headers[.eTag])
        let small = try #require(ask(file(), accept: "br").headers[.eTag])
        #expect(whole != small)
        #expect(ask(file(), tag: whole).status == .notModified)
        #expect(ask(file(), accept: "br", tag: small).status == .notModified)
        #expect(ask(file(), accept: "br", tag: whole).status == .ok)
        #expect(ask(file(), accept: "gzip", tag: small).status == .ok)
        #expect(ask(file(), accept: "br", tag: small).headers[.contentEncoding] == nil)
    }

    @Test func `A file that compression does not shrink is sent as it is`() {
        let response = ask(file(endings: ["br": PageFileTests.text]), accept: "br")
        #expect(response.headers[.contentEncoding] == nil && response.headers[.vary] == nil)
    }

    @Test(arguments: [
        ("js/main-NJF2Z6LG.js", true), ("css/index-BCLZUWMS.css", true), ("js/main.js", false),
        ("js/main-short.js", false), ("index.html", false), ("js/place-markers.js", false),
    ])
    func `Only files named by their digest are cached without revalidation`(
        _ path: String, _ isKept: Bool
    ) {
        let control = ask(file(path)).headers[.cacheControl]
        #expect(control == (isKept ? "public, max-age=31536000, immutable" : "no-cache"))
    }

    @Test func `Compressed files are found beside the others and are not served themselves`()
        async throws
    {
        try await withTemporaryDirectory { directory in
            for (name, data) in [
                ("index.html", PageFileTests.text), ("index.html.br", PageFileTests.brotli),
                ("a.js", PageFileTests.text), ("a.js.brotli", PageFileTests.brotli),
            ] {
                try data.write(to: URL(fileURLWithPath: "\(directory)/\(name)"))
            }
            var settings = WebSettings()
            settings.pages = directory
            settings.libraries = [directory]
            let pages = try Pages(settings, OperatorFiles(settings))
            #expect(pages.has("/index.html") && !pages.has("/index.html.br"))
            #expect(!pages.has("/a.js.brotli"))
        }
    }

    @Test func `Only unbundled modules need the libraries beside them`() async throws {
        try await withTemporaryDirectory { directory in
            try FileManager.default.createDirectory(
                atPath: directory + "/js", withIntermediateDirectories: true)
            func write(_ name: String) throws {
                try PageFileTests.text.write(to: URL(fileURLWithPath: "\(directory)/\(name)"))
            }
            var settings = WebSettings()
            settings.pages = directory
            settings.libraries = [directory + "/nothing"]
            try write("index.html")
            try write("js/main-ABCDEFGH.js")
            let pages = try Pages(settings, OperatorFiles(settings))
            #expect(pages.has("/js/main-ABCDEFGH.js"))
            try write("js/main.js")
            #expect(throws: WebError.self) { try Pages(settings, OperatorFiles(settings)) }
        }
    }
}
