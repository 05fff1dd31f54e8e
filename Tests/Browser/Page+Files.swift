import Foundation
import TestSupport

extension Page {
    /// Serves everything that the page requests from files from now on, in the first directory that
    /// has each. No request reaches a network.
    public func serve(_ directories: String...) async throws {
        visitor.serve(directories, to: session)
        try await send("Fetch.enable")
    }
}

/// Files in place of a server.
struct ServedFiles: Sendable {
    let directories: [String]

    /// The response to a request for this address, in the form of `Fetch.fulfillRequest`.
    func answer(to address: String) -> [String: JSON] {
        let path = URL(string: address)?.path ?? "/"
        for directory in directories {
            guard let data = FileManager.default.contents(atPath: directory + path) else {
                continue
            }
            return [
                "responseCode": 200, "body": .string(data.base64EncodedString()),
                "responseHeaders": [
                    ["name": "Content-Type", "value": .string(kind(of: path))]
                ],
            ]
        }
        return ["responseCode": 404]
    }

    private func kind(of path: String) -> String {
        switch path.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "js": "text/javascript"
        case "css": "text/css"
        case "svg": "image/svg+xml"
        default: "application/octet-stream"
        }
    }
}
