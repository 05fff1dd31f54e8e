internal import NIOSSL

/// The expiry times of the served certificates.
struct CertificateDates: Sendable {
    /// The page's own certificate, as loaded; nil for plain HTTP.
    let page: PageCertificate?
    /// The listener of the broker for phones; nil without TLS.
    let phones: ServedCertificate?
    /// The file of the broker's certificate, for when no listener can be queried; read each time,
    /// as it is renewed; nil if unknown.
    let file: String?

    /// Returns the expiry in seconds since 1970, by listener; of a chain, that of its first
    /// certificate.
    ///
    /// - Parameter isBrokerUp: whether it can be queried.
    func ends(isBrokerUp: Bool) async -> [(listener: String, seconds: Int)] {
        let served = isBrokerUp ? await phones?.end : nil
        let ends = [("broker", served ?? endInFile), ("page", page?.end)]
        return ends.compactMap { listener, end in end.map { (listener, $0) } }
    }

    private var endInFile: Int? { file.flatMap { CertificateDates.end(of: $0) } }

    /// Nil if it cannot be read.
    static func end(of file: String) -> Int? {
        do {
            return try NIOSSLCertificate.fromPEMFile(file).first.map { Int($0.notValidAfter) }
        } catch {
            return nil
        }
    }
}
