internal import NIOSSL

/// When the certificates end that are served.
struct CertificateDates: Sendable {
    /// The page's own, as it is loaded; nil if it speaks plain HTTP.
    let page: PageCertificate?
    /// Where phones reach the broker; nil if that is not with TLS.
    let phones: ServedCertificate?
    /// Where the broker's is where nobody can be asked, read each time, as it is renewed; nil if
    /// that is not known.
    let file: String?

    /// Seconds since 1970, by listener; of a chain, that of its first certificate.
    ///
    /// - Parameter isBrokerUp: whether it can be asked.
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
