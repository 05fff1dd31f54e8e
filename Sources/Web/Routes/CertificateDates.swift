internal import NIOSSL

/// When the certificates in some files end. The files are read each time, as they are renewed.
struct CertificateDates: Sendable {
    /// By listener: `page`, `broker`. A file that is not there has no date.
    let files: [String: String]

    /// Seconds since 1970, by listener; of a chain, that of its first certificate.
    var ends: [(listener: String, seconds: Int)] {
        files.sorted { $0.key < $1.key }.compactMap { listener, file in
            do {
                let chain = try NIOSSLCertificate.fromPEMFile(file)
                return chain.first.map { (listener, Int($0.notValidAfter)) }
            } catch {
                return nil
            }
        }
    }
}
