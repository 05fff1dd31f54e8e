internal import NIOSSL

extension WebSettings.Certificate {
    /// TLS 1.2 or newer, like the broker.
    var configuration: TLSConfiguration {
        get throws(WebError) {
            let certificates: [NIOSSLCertificateSource]
            do {
                certificates = try NIOSSLCertificate.fromPEMFile(chain).map { .certificate($0) }
            } catch {
                throw .noCertificate(chain)
            }
            let privateKey: NIOSSLPrivateKey
            do {
                privateKey = try NIOSSLPrivateKey(file: key, format: .pem)
            } catch {
                throw .noCertificate(key)
            }
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: certificates, privateKey: .privateKey(privateKey))
            configuration.minimumTLSVersion = .tlsv12
            configuration.applicationProtocols = ["http/1.1"]
            return configuration
        }
    }
}
