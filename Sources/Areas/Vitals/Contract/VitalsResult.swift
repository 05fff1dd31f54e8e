/// The results of requests about health.
public enum VitalsResult {
    public static let consent = Payload<VitalsConsent>(
        .init("consent", .object(VitalsConsent.payload)) { $0 })

    public static let profile = Payload<(profile: HealthProfile, consent: VitalsConsent?)>(
        .members(of: HealthProfile.payload) { $0.profile },
        .init("consent", .object(VitalsConsent.payload)) { $0.consent })
}
