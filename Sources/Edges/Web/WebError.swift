internal import Glibc

/// The reason why the page cannot be served.
public enum WebError: Error, CustomStringConvertible, Sendable {
    /// The directory.
    case noPages(String)
    /// A file of the page's certificate.
    case noCertificate(String)
    /// The port, and the `errno` code.
    case cannotListen(Int, code: Int32)

    public var description: String {
        switch self {
        case .noPages(let directory): "The pages in \(directory) cannot be read."
        case .noCertificate(let file): "The certificate or key in \(file) cannot be used."
        case .cannotListen(let port, let code):
            if code == EADDRINUSE {
                "The page's port \(port) is taken: choose another one (kith up --web-port, kith web "
                    + "--port, or web.port in the configuration)."
            } else {
                "The page cannot listen on port \(port) (error \(code))."
            }
        }
    }
}
