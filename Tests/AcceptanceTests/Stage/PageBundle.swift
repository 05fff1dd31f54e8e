import Foundation
import Glibc
import Testing

/// The two forms of the page.
enum PageForm {
    /// As people receive it, and with a third of the work for a browser.
    case bundle
    /// The files of `pages/`, for tests that import a module by its name.
    case modules
}

/// The page as `tools/bundle-page` makes it, once for all tests of this process.
enum PageBundle {
    private static let parent = NSTemporaryDirectory() + "kith-page-\(UUID().uuidString)"

    private static let bundling = Task {
        try FileManager.default.createDirectory(
            atPath: parent, withIntermediateDirectories: true)
        atexit { try? FileManager.default.removeItem(atPath: PageBundle.parent) }
        let made = try await Program.run(
            Document.project + "/tools/bundle-page", [parent + "/page"])
        try #require(made.status == 0, "\(made.errors)")
        return parent + "/page"
    }

    static func directory() async throws -> String { try await bundling.value }
}
