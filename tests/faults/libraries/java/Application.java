import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.context.WebServerInitializedEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.client.OAuth2AuthorizationContext;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.RefreshTokenOAuth2AuthorizedClientProvider;
import org.springframework.security.oauth2.client.annotation.RegisteredOAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.client.web.DefaultOAuth2AuthorizationRequestResolver;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizationRequestCustomizers;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Spring Security's sign-in by OpenID Connect, as Spring Boot configures it from the issuer. */
@SpringBootConfiguration
@EnableAutoConfiguration
@RestController
public class Application {
  private static JsonNode given;

  public static void main(String[] arguments) throws IOException {
    given = new ObjectMapper().readTree(System.getenv("APPLICATION"));
    String registration = "spring.security.oauth2.client.registration.septet.";
    SpringApplication application = new SpringApplication(Application.class);
    application.setDefaultProperties(
        Map.of(
            "server.port", "0",
            "server.address", "127.0.0.1",
            "spring.main.banner-mode", "off",
            "logging.level.root", "error",
            "spring.security.oauth2.client.provider.septet.issuer-uri", given.get("issuer").asText(),
            registration + "client-id", given.get("clientId").asText(),
            registration + "client-secret", given.get("clientSecret").asText(),
            registration + "scope", "openid,profile,email,offline_access"));
    application.run(arguments);
  }

  @EventListener
  public void announce(WebServerInitializedEvent event) {
    System.out.println("listening " + event.getWebServer().getPort());
  }

  @Bean
  SecurityFilterChain security(HttpSecurity http, ClientRegistrationRepository clients) throws Exception {
    http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated());
    http.oauth2Login(
        login -> {
          login.defaultSuccessUrl("/result", true).failureHandler(Application::fail);
          if (given.at("/settings/pkce").asBoolean()) {
            DefaultOAuth2AuthorizationRequestResolver requests =
                new DefaultOAuth2AuthorizationRequestResolver(clients, "/oauth2/authorization");
            requests.setAuthorizationRequestCustomizer(OAuth2AuthorizationRequestCustomizers.withPkce());
            login.authorizationEndpoint(endpoint -> endpoint.authorizationRequestResolver(requests));
          }
        });
    http.oauth2Client(Customizer.withDefaults());
    return http.build();
  }

  private static void fail(HttpServletRequest request, HttpServletResponse response, AuthenticationException failure)
      throws IOException {
    response.setStatus(500);
    response.setContentType("application/json");
    new ObjectMapper().writeValue(response.getOutputStream(), Map.of("error", String.valueOf(failure.getMessage())));
  }

  @GetMapping("/result")
  public Map<String, Object> result(
      @AuthenticationPrincipal OidcUser person, @RegisteredOAuth2AuthorizedClient("septet") OAuth2AuthorizedClient client) {
    // By Spring's own provider, which renews a token that is about to expire.
    RefreshTokenOAuth2AuthorizedClientProvider renewing = new RefreshTokenOAuth2AuthorizedClientProvider();
    renewing.setClockSkew(Duration.ofDays(1));
    OAuth2AuthorizedClient renewed =
        renewing.authorize(
            OAuth2AuthorizationContext.withAuthorizedClient(client)
                .principal(new TestingAuthenticationToken(person, null))
                .build());
    return Map.of(
        "idToken", person.getIdToken().getSubject(),
        "userinfo", person.getUserInfo().getSubject(),
        "refreshed", renewed != null);
  }
}
