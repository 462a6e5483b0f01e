<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>Error</name>
    <message>
        <source>The address of Prometheus is not an http or https URL.</source>
        <translation>Prometheus 地址不是 http 或 https URL。</translation>
    </message>
    <message>
        <source>Write it whole, for instance https://prometheus.example:9090.</source>
        <translation>写出完整地址，例如 https://prometheus.example:9090。</translation>
    </message>
    <message>
        <source>No context was found.</source>
        <translation>未找到上下文。</translation>
    </message>
    <message>
        <source>Give a kubeconfig with --kubeconfig, or use --embedded.</source>
        <translation>用 --kubeconfig 指定 kubeconfig，或使用 --embedded。</translation>
    </message>
    <message>
        <source>No current context is set; there are: %1.</source>
        <translation>未设置当前上下文；现有：%1。</translation>
    </message>
    <message>
        <source>The server cannot be reached.</source>
        <translation>无法连接服务器。</translation>
    </message>
    <message>
        <source>The server did not answer in time.</source>
        <translation>服务器未及时响应。</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>已取消。</translation>
    </message>
    <message>
        <source>No secure connection could be made.</source>
        <translation>无法建立安全连接。</translation>
    </message>
    <message>
        <source>The server did not accept the credential.</source>
        <translation>服务器不接受此凭据。</translation>
    </message>
    <message>
        <source>This user may not do that.</source>
        <translation>此用户无权执行该操作。</translation>
    </message>
    <message>
        <source>It does not exist on the server.</source>
        <translation>服务器上不存在该对象。</translation>
    </message>
    <message>
        <source>Somebody else changed it meanwhile.</source>
        <translation>期间有他人做了修改。</translation>
    </message>
    <message>
        <source>The server no longer has that version.</source>
        <translation>服务器已不再保留该版本。</translation>
    </message>
    <message>
        <source>The server asks for fewer requests.</source>
        <translation>服务器要求减少请求。</translation>
    </message>
    <message>
        <source>The request or the input is not valid.</source>
        <translation>请求或输入无效。</translation>
    </message>
    <message>
        <source>The server failed.</source>
        <translation>服务器出错。</translation>
    </message>
    <message>
        <source>The answer cannot be understood.</source>
        <translation>无法理解返回的内容。</translation>
    </message>
    <message>
        <source>This is not supported.</source>
        <translation>不支持此操作。</translation>
    </message>
    <message>
        <source>A file on this machine cannot be read or written.</source>
        <translation>无法读写本机上的文件。</translation>
    </message>
    <message>
        <source>A program has to be run, and you have not agreed yet.</source>
        <translation>需要运行一个程序，你尚未同意。</translation>
    </message>
    <message>
        <source>Check the address, the network and the proxy; it is tried again by itself.</source>
        <translation>检查地址、网络和代理；稍后自动重试。</translation>
    </message>
    <message>
        <source>It is tried again by itself; if it lasts, look at the server&apos;s load.</source>
        <translation>稍后自动重试；若持续出现，检查服务器的负载。</translation>
    </message>
    <message>
        <source>Choose the right CA file or server name in Connections.</source>
        <translation>在“连接”中选择正确的 CA 文件或服务器名称。</translation>
    </message>
    <message>
        <source>Sign in again or choose another user in Connections.</source>
        <translation>在“连接”中重新登录或选择其他用户。</translation>
    </message>
    <message>
        <source>Ask whoever runs the cluster for the permission.</source>
        <translation>向集群管理者申请权限。</translation>
    </message>
    <message>
        <source>Refresh, then look at the name and the address.</source>
        <translation>刷新，然后核对名称和地址。</translation>
    </message>
    <message>
        <source>Look at the new state, then decide again.</source>
        <translation>查看新状态，再做决定。</translation>
    </message>
    <message>
        <source>The list is read afresh by itself.</source>
        <translation>列表会自动重新读取。</translation>
    </message>
    <message>
        <source>It is tried again after the pause that the server named.</source>
        <translation>按服务器要求的间隔等待后自动重试。</translation>
    </message>
    <message>
        <source>Correct the input and try again.</source>
        <translation>更正输入后重试。</translation>
    </message>
    <message>
        <source>It is tried again by itself; if it lasts, look at the server&apos;s log.</source>
        <translation>稍后自动重试；若持续出现，查看服务器日志。</translation>
    </message>
    <message>
        <source>Check that the address is that of the right service.</source>
        <translation>检查地址是否属于正确的服务。</translation>
    </message>
    <message>
        <source>Use another way or a newer version.</source>
        <translation>改用其他方式或更新的版本。</translation>
    </message>
    <message>
        <source>Check the path, the permissions and the free space.</source>
        <translation>检查路径、权限和剩余空间。</translation>
    </message>
    <message>
        <source>Look at the command in Connections and agree or refuse.</source>
        <translation>在“连接”中查看该命令，选择同意或拒绝。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <extracomment>%1 is a file, a server or an object, %2 the sentence about it.</extracomment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>“%1” is not a filter key.</source>
        <translation>“%1”不是筛选键。</translation>
    </message>
    <message>
        <source>Keys are vendor, model, region, node, label, util, mem, temp, power, health, workload, age and others; see the suggestions.</source>
        <translation>可用的键有 vendor、model、region、node、label、util、mem、temp、power、health、workload、age 等，参见建议列表。</translation>
    </message>
    <message>
        <source>This token is empty.</source>
        <translation>此条件为空。</translation>
    </message>
    <message>
        <source>Type a word, or a key and a value such as region:beijing.</source>
        <translation>输入一个词，或键和值，例如 region:beijing。</translation>
    </message>
    <message>
        <source>“%1” has no value yet.</source>
        <translation>“%1”还没有值。</translation>
    </message>
    <message>
        <source>Type a value behind it, or take one of the suggestions.</source>
        <translation>在后面输入值，或选择一条建议。</translation>
    </message>
    <message>
        <source>“%1” is not a number that %2 can be compared with.</source>
        <translation>“%1”不是可与 %2 比较的数字。</translation>
    </message>
    <message>
        <source>Write for instance util&lt;20, memfree&gt;=40GB or age&gt;90s.</source>
        <translation>例如写 util&lt;20、memfree&gt;=40GB 或 age&gt;90s。</translation>
    </message>
    <message>
        <source>%1 has no order, so &lt; and &gt; mean nothing for it.</source>
        <translation>%1 没有大小顺序，&lt; 和 &gt; 对其无意义。</translation>
    </message>
    <message>
        <source>Write a colon between key and value.</source>
        <translation>在键和值之间写冒号。</translation>
    </message>
    <message>
        <source>The file starts like UTF-16 but is not valid UTF-16.</source>
        <translation>文件以 UTF-16 开头，但不是有效的 UTF-16。</translation>
    </message>
    <message>
        <source>Save the file as UTF-8 and load it again.</source>
        <translation>将文件存为 UTF-8 后重新载入。</translation>
    </message>
    <message>
        <source>The text is neither UTF-8 nor UTF-16: byte %1 fits neither.</source>
        <translation>文本既不是 UTF-8 也不是 UTF-16：字节 %1 都不符合。</translation>
    </message>
    <message>
        <source>The proxy given by %1 is not an address that can be used.</source>
        <translation>%1 给出的代理不是可用的地址。</translation>
    </message>
    <message>
        <source>Write it as http://host:port or socks5://host:port; special characters in a password as %40 and the like.</source>
        <translation>写成 http://host:port 或 socks5://host:port；密码中的特殊字符写成 %40 等形式。</translation>
    </message>
    <message>
        <source>The server sends us on to %1, which was not contacted.</source>
        <translation>服务器将请求转向 %1，未与其通信。</translation>
    </message>
    <message>
        <source>If that is the right server, put its address into the settings; credentials never follow a redirect to another one.</source>
        <translation>若那是正确的服务器，将其地址写入设置；凭据绝不随重定向发往其他服务器。</translation>
    </message>
    <message>
        <source>The server sends the request round in circles.</source>
        <translation>服务器让请求循环重定向。</translation>
    </message>
    <message>
        <source>Check the server address and its path.</source>
        <translation>检查服务器地址及其路径。</translation>
    </message>
    <message>
        <source>%1 does not accept the credential.</source>
        <translation>%1 不接受此凭据。</translation>
    </message>
    <message>
        <source>Sign in again, or check the user of this context.</source>
        <translation>重新登录，或检查此上下文的用户。</translation>
    </message>
    <message>
        <source>%1 does not allow this.</source>
        <translation>%1 不允许此操作。</translation>
    </message>
    <message>
        <source>Ask the cluster&apos;s administrator for the permission.</source>
        <translation>向集群管理员申请该权限。</translation>
    </message>
    <message>
        <source>%1 does not know this address or object.</source>
        <translation>%1 上没有此地址或对象。</translation>
    </message>
    <message>
        <source>It may have been deleted, or the service is not installed.</source>
        <translation>它可能已被删除，或服务未安装。</translation>
    </message>
    <message>
        <source>%1 does not support this request (status %2).</source>
        <translation>%1 不支持此请求（状态 %2）。</translation>
    </message>
    <message>
        <source>The server may be older than this console expects.</source>
        <translation>服务器版本可能低于此控制台的要求。</translation>
    </message>
    <message>
        <source>%1 gave up waiting for the request.</source>
        <translation>%1 等待请求超时。</translation>
    </message>
    <message>
        <source>Try again.</source>
        <translation>重试。</translation>
    </message>
    <message>
        <source>Somebody else changed this on %1 meanwhile.</source>
        <translation>期间有他人在 %1 上做了修改。</translation>
    </message>
    <message>
        <source>Look at the present state, then try again.</source>
        <translation>查看当前状态后重试。</translation>
    </message>
    <message>
        <source>%1 no longer keeps this version.</source>
        <translation>%1 已不再保留此版本。</translation>
    </message>
    <message>
        <source>The list is read again by itself.</source>
        <translation>列表会自动重新读取。</translation>
    </message>
    <message>
        <source>%1 is asked too often.</source>
        <translation>对 %1 的请求过于频繁。</translation>
    </message>
    <message>
        <source>It is tried again after the pause that the server asked for.</source>
        <translation>按服务器要求的间隔等待后自动重试。</translation>
    </message>
    <message>
        <source>%1 reports a fault of its own (status %2).</source>
        <translation>%1 报告自身故障（状态 %2）。</translation>
    </message>
    <message>
        <source>It is tried again; if it stays so, look at the server&apos;s log.</source>
        <translation>稍后自动重试；若仍如此，查看服务器日志。</translation>
    </message>
    <message>
        <source>%1 refused the request as wrong (status %2).</source>
        <translation>%1 认为请求有误并拒绝（状态 %2）。</translation>
    </message>
    <message>
        <source>Look at the details and check what was entered.</source>
        <translation>查看详情，检查输入的内容。</translation>
    </message>
    <message>
        <source>%1 gave an unexpected answer (status %2).</source>
        <translation>%1 返回了意外的响应（状态 %2）。</translation>
    </message>
    <message>
        <source>Check the server address: a sign-in page or a proxy may answer there.</source>
        <translation>检查服务器地址：应答的可能是登录页或代理。</translation>
    </message>
    <message>
        <source>The client certificate cannot be read.</source>
        <translation>无法读取客户端证书。</translation>
    </message>
    <message>
        <source>Give a certificate in PEM form (it begins with BEGIN CERTIFICATE).</source>
        <translation>提供 PEM 格式的证书（以 BEGIN CERTIFICATE 开头）。</translation>
    </message>
    <message>
        <source>The client key is protected by a passphrase, which is not supported.</source>
        <translation>客户端密钥受口令保护，不支持这种密钥。</translation>
    </message>
    <message>
        <source>Give the key without a passphrase, in a file that only you can read.</source>
        <translation>提供不带口令的密钥，存放在只有你能读取的文件中。</translation>
    </message>
    <message>
        <source>The client key cannot be read.</source>
        <translation>无法读取客户端密钥。</translation>
    </message>
    <message>
        <source>Give an RSA, EC or Ed25519 key in PEM form.</source>
        <translation>提供 PEM 格式的 RSA、EC 或 Ed25519 密钥。</translation>
    </message>
    <message>
        <source>The client key does not belong to the client certificate.</source>
        <translation>客户端密钥与客户端证书不匹配。</translation>
    </message>
    <message>
        <source>Give the key that the certificate was made for.</source>
        <translation>提供与该证书对应的密钥。</translation>
    </message>
    <message>
        <source>The certificate authority of this connection cannot be read.</source>
        <translation>无法读取此连接的证书颁发机构。</translation>
    </message>
    <message>
        <source>The certificate of %1 was issued by &quot;%2&quot;, which is not trusted here.</source>
        <translation>%1 的证书由“%2”签发，此处不信任该签发者。</translation>
    </message>
    <message>
        <source>Put the right certificate authority into the kubeconfig or the settings, or ask whether this really is your server.</source>
        <translation>在 kubeconfig 或设置中填入正确的证书颁发机构，或核实这是否确为你的服务器。</translation>
    </message>
    <message>
        <source>The certificate of %1 is not for &quot;%2&quot; but for: %3.</source>
        <translation>%1 的证书不适用于“%2”，仅适用于：%3。</translation>
    </message>
    <message>
        <source>Use one of these names in the server address, or set tls-server-name to one.</source>
        <translation>在服务器地址中使用其中一个名称，或将 tls-server-name 设为其中一个。</translation>
    </message>
    <message>
        <source>The certificate of %1 expired on %2.</source>
        <translation>%1 的证书已于 %2 过期。</translation>
    </message>
    <message>
        <source>Renew it on the server, and check the clock of this computer.</source>
        <translation>在服务器上更新证书，并检查本机时钟。</translation>
    </message>
    <message>
        <source>The certificate of %1 is valid only from %2.</source>
        <translation>%1 的证书从 %2 起才有效。</translation>
    </message>
    <message>
        <source>Check the clock of this computer and that of the server.</source>
        <translation>检查本机和服务器的时钟。</translation>
    </message>
    <message>
        <source>The certificate of %1 is not accepted: %2.</source>
        <translation>不接受 %1 的证书：%2。</translation>
    </message>
    <message>
        <source>Have the server&apos;s certificate checked.</source>
        <translation>让人检查服务器的证书。</translation>
    </message>
    <message>
        <source>%1 refused the client certificate.</source>
        <translation>%1 拒绝了客户端证书。</translation>
    </message>
    <message>
        <source>%1 wants a client certificate, and none is set.</source>
        <translation>%1 要求客户端证书，但未设置。</translation>
    </message>
    <message>
        <source>Put a valid client certificate and its key into the kubeconfig or the settings.</source>
        <translation>在 kubeconfig 或设置中填入有效的客户端证书及其密钥。</translation>
    </message>
    <message>
        <source>%1 does not speak TLS.</source>
        <translation>%1 不使用 TLS。</translation>
    </message>
    <message>
        <source>Check the port and whether the address should begin with http://.</source>
        <translation>检查端口，以及地址是否应以 http:// 开头。</translation>
    </message>
    <message>
        <source>No secure connection to %1 could be agreed.</source>
        <translation>无法与 %1 协商安全连接。</translation>
    </message>
    <message>
        <source>Look at the details; server and console must share TLS 1.2 or newer.</source>
        <translation>查看详情；服务器与控制台须都支持 TLS 1.2 或更高版本。</translation>
    </message>
    <message>
        <source>Check the proxy setting; it comes from %2.</source>
        <translation>检查代理设置；它来自 %2。</translation>
    </message>
    <message>
        <source>The proxy %1 cannot be used.</source>
        <translation>无法使用代理 %1。</translation>
    </message>
    <message>
        <source>There is no host of the name %1.</source>
        <translation>没有名为 %1 的主机。</translation>
    </message>
    <message>
        <source>Check the name, the DNS and whether a VPN is needed.</source>
        <translation>检查名称、DNS，以及是否需要 VPN。</translation>
    </message>
    <message>
        <source>Nothing answers at %1: the connection was refused.</source>
        <translation>%1 无应答：连接被拒绝。</translation>
    </message>
    <message>
        <source>Check whether the server runs and the port is right.</source>
        <translation>检查服务器是否在运行、端口是否正确。</translation>
    </message>
    <message>
        <source>No connection to %1.</source>
        <translation>未能连接 %1。</translation>
    </message>
    <message>
        <source>Check the network; the connection is tried again.</source>
        <translation>检查网络；稍后自动重新连接。</translation>
    </message>
    <message>
        <source>The proxy %1 wants a user name and a password.</source>
        <translation>代理 %1 要求用户名和密码。</translation>
    </message>
    <message>
        <source>The proxy %1 refused the user name or password.</source>
        <translation>代理 %1 拒绝了用户名或密码。</translation>
    </message>
    <message>
        <source>The proxy %1 does not connect to this server.</source>
        <translation>代理 %1 不连接此服务器。</translation>
    </message>
    <message>
        <source>A proxy that is itself reached over %1 cannot be used.</source>
        <translation>无法使用自身通过 %1 访问的代理。</translation>
    </message>
    <message>
        <source>Give an http or socks5 proxy; the setting comes from %2.</source>
        <translation>提供 http 或 socks5 代理；该设置来自 %2。</translation>
    </message>
    <message>
        <source>No connection to %1 within %2 s.</source>
        <translation>%2 秒内未能连接 %1。</translation>
    </message>
    <message>
        <source>Check the address, the network and whether a VPN is needed.</source>
        <translation>检查地址、网络，以及是否需要 VPN。</translation>
    </message>
    <message>
        <source>%1 gave no answer within %2 s.</source>
        <translation>%1 在 %2 秒内未响应。</translation>
    </message>
    <message>
        <source>The server or the way to it is overloaded; try again.</source>
        <translation>服务器或途经的网络过载，稍后重试。</translation>
    </message>
    <message>
        <source>Nothing more came from %1 for %2 s.</source>
        <translation>已有 %2 秒没有收到 %1 的数据。</translation>
    </message>
    <message>
        <source>The connection seems dead and is opened again.</source>
        <translation>连接似已中断，正在重新建立。</translation>
    </message>
    <message>
        <source>%1 closed the connection without an answer.</source>
        <translation>%1 未响应即关闭连接。</translation>
    </message>
    <message>
        <source>Try again; if it stays so, look at the server&apos;s log.</source>
        <translation>重试；若仍如此，查看服务器日志。</translation>
    </message>
    <message>
        <source>The answer of %1 was cut short.</source>
        <translation>%1 的响应不完整。</translation>
    </message>
    <message>
        <source>Try again; if it stays so, a proxy on the way may limit answers.</source>
        <translation>重试；若仍如此，途中的代理可能限制了响应大小。</translation>
    </message>
    <message>
        <source>The answer of %1 is not understandable HTTP.</source>
        <translation>%1 的响应不是可识别的 HTTP。</translation>
    </message>
    <message>
        <source>Check the address and the port: another kind of server may listen there.</source>
        <translation>检查地址和端口：那里可能是另一种服务器。</translation>
    </message>
    <message>
        <source>The answer of %1 is larger than %2 bytes and was not read.</source>
        <translation>%1 的响应超过 %2 字节，未读取。</translation>
    </message>
    <message>
        <source>Ask for less at once, or check what answers at this address.</source>
        <translation>减少单次请求的内容，或检查此地址上应答的是什么。</translation>
    </message>
    <message>
        <source>This request cannot be sent.</source>
        <translation>无法发送此请求。</translation>
    </message>
    <message>
        <source>Check the server address in the settings.</source>
        <translation>检查设置中的服务器地址。</translation>
    </message>
    <message>
        <source>No credential was given for %1.</source>
        <translation>未提供 %1 的凭据。</translation>
    </message>
    <message>
        <source>Sign in again.</source>
        <translation>重新登录。</translation>
    </message>
    <message>
        <source>The cluster is not connected.</source>
        <translation>集群未连接。</translation>
    </message>
    <message>
        <source>Wait until it is live again, then repeat the action.</source>
        <translation>等集群恢复实时后再重复该操作。</translation>
    </message>
    <message>
        <source>The list of accelerators cannot be read.</source>
        <translation>无法读取加速卡清单。</translation>
    </message>
    <message>
        <source>Install the program again.</source>
        <translation>重新安装本程序。</translation>
    </message>
    <message>
        <source>You have no right to %1 %2.</source>
        <translation>你无权对 %2 执行 %1。</translation>
    </message>
    <message>
        <source>You have no right to %1 %2 in the namespace %3.</source>
        <translation>你无权在命名空间 %3 中对 %2 执行 %1。</translation>
    </message>
    <message>
        <source>Ask the cluster&apos;s administrator for the verb %1 on %2.</source>
        <translation>向集群管理员申请对 %2 执行 %1 的权限。</translation>
    </message>
    <message>
        <source>The server&apos;s answer cannot be understood.</source>
        <translation>无法理解服务器的响应。</translation>
    </message>
    <message>
        <source>The server&apos;s answer is no %1.</source>
        <translation>服务器的响应不是 %1。</translation>
    </message>
    <message>
        <source>Check the server address: something else may answer there, such as a proxy&apos;s login page.</source>
        <translation>检查服务器地址：应答的可能是其他程序，例如代理的登录页。</translation>
    </message>
    <message>
        <source>Ask the cluster&apos;s administrator for the right, then connect again.</source>
        <translation>向集群管理员申请该权限，然后重新连接。</translation>
    </message>
    <message>
        <source>Others own fields of the object: %1</source>
        <translation>对象的部分字段由他人管理：%1</translation>
    </message>
    <message>
        <source>Leave these fields to their owner, or take them over on purpose.</source>
        <translation>将这些字段留给其所有者，或明确接管。</translation>
    </message>
    <message>
        <source>The object was changed by somebody else in the meantime.</source>
        <translation>期间有他人修改了该对象。</translation>
    </message>
    <message>
        <source>Look at its present state and decide again.</source>
        <translation>查看其当前状态，再做决定。</translation>
    </message>
    <message>
        <source>The server answered: %1</source>
        <translation>服务器返回：%1</translation>
    </message>
    <message>
        <source>The answer was HTTP %1, and it does not come from the API server itself.</source>
        <translation>返回的是 HTTP %1，且不是 API 服务器自身的响应。</translation>
    </message>
    <message>
        <source>Something in front of the server refuses the request; ask whoever runs it.</source>
        <translation>服务器前端的设备拒绝了请求，向其管理者询问。</translation>
    </message>
    <message>
        <source>Renew the credential that the kubeconfig names.</source>
        <translation>更新 kubeconfig 指定的凭据。</translation>
    </message>
    <message>
        <source>The server refuses the change: %1</source>
        <translation>服务器拒绝此变更：%1</translation>
    </message>
    <message>
        <source>It is tried again by itself.</source>
        <translation>稍后自动重试。</translation>
    </message>
    <message>
        <source>The server does not know aggregated discovery.</source>
        <translation>服务器不支持聚合发现。</translation>
    </message>
    <message>
        <source>Its groups are asked one by one instead.</source>
        <translation>改为逐个查询其 API 组。</translation>
    </message>
    <message>
        <source>The kubeconfig wants to run a program to log in: %1</source>
        <translation>kubeconfig 要求运行一个程序来登录：%1</translation>
    </message>
    <message>
        <source>Allow it once if you trust the file %2.</source>
        <translation>如果信任文件 %2，可允许运行一次。</translation>
    </message>
    <message>
        <source>Run the plug-in in a terminal and look at what it prints; update it if needed.</source>
        <translation>在终端中运行该插件并查看输出，必要时更新插件。</translation>
    </message>
    <message>
        <source>The credential plug-in %1 printed nothing.</source>
        <translation>凭据插件 %1 没有输出。</translation>
    </message>
    <message>
        <source>What the credential plug-in %1 printed is not JSON.</source>
        <translation>凭据插件 %1 的输出不是 JSON。</translation>
    </message>
    <message>
        <source>What the credential plug-in %1 printed is not an ExecCredential.</source>
        <translation>凭据插件 %1 的输出不是 ExecCredential。</translation>
    </message>
    <message>
        <source>The credential plug-in %1 was asked for %2 and answered in %3.</source>
        <translation>向凭据插件 %1 请求 %2，返回的却是 %3。</translation>
    </message>
    <message>
        <source>Write the version it answers in as apiVersion in the kubeconfig, or update the plug-in.</source>
        <translation>在 kubeconfig 的 apiVersion 中写入插件返回的版本，或更新插件。</translation>
    </message>
    <message>
        <source>The credential plug-in %1 answered without a status.</source>
        <translation>凭据插件 %1 的返回缺少 status。</translation>
    </message>
    <message>
        <source>The credential plug-in %1 answered with a value of the wrong kind.</source>
        <translation>凭据插件 %1 返回的值类型有误。</translation>
    </message>
    <message>
        <source>The credential plug-in %1 answered with a certificate or a key alone; both are needed.</source>
        <translation>凭据插件 %1 只返回了证书或密钥之一，两者都需要。</translation>
    </message>
    <message>
        <source>The credential plug-in %1 answered without a token or certificate.</source>
        <translation>凭据插件 %1 的返回中没有令牌或证书。</translation>
    </message>
    <message>
        <source>The credential plug-in %1 answered with an expiry that is no point in time.</source>
        <translation>凭据插件 %1 返回的到期时间不是有效时刻。</translation>
    </message>
    <message>
        <source>The credential plug-in %1 was not found.</source>
        <translation>未找到凭据插件 %1。</translation>
    </message>
    <message>
        <source>Install it, or write its full path into the kubeconfig.</source>
        <translation>安装该插件，或在 kubeconfig 中写出其完整路径。</translation>
    </message>
    <message>
        <source>The credential plug-in %1 was not found. The kubeconfig says: %2</source>
        <translation>未找到凭据插件 %1。kubeconfig 中的说明：%2</translation>
    </message>
    <message>
        <source>The credential plug-in %1 cannot be executed.</source>
        <translation>无法执行凭据插件 %1。</translation>
    </message>
    <message>
        <source>Give the file the right to be executed (chmod +x).</source>
        <translation>为该文件添加执行权限（chmod +x）。</translation>
    </message>
    <message>
        <source>The path of the credential plug-in %1 is not valid UTF-8.</source>
        <translation>凭据插件 %1 的路径不是有效的 UTF-8。</translation>
    </message>
    <message>
        <source>Rename the folder or the file.</source>
        <translation>重命名该文件夹或文件。</translation>
    </message>
    <message>
        <source>The credential plug-in %1 cannot be started.</source>
        <translation>无法启动凭据插件 %1。</translation>
    </message>
    <message>
        <source>Start it in a terminal and look at what is wrong.</source>
        <translation>在终端中启动它，查看出错原因。</translation>
    </message>
    <message>
        <source>The credential plug-in %1 gave no answer within %2 seconds.</source>
        <translation>凭据插件 %1 在 %2 秒内未响应。</translation>
    </message>
    <message>
        <source>The credential plug-in %1 gave no answer within %2 seconds: %3</source>
        <translation>凭据插件 %1 在 %2 秒内未响应：%3</translation>
    </message>
    <message>
        <source>Run it in a terminal once; it may wait for a login.</source>
        <translation>在终端中运行一次，它可能在等待登录。</translation>
    </message>
    <message>
        <source>The credential plug-in %1 printed more than %2 bytes.</source>
        <translation>凭据插件 %1 的输出超过 %2 字节。</translation>
    </message>
    <message>
        <source>Check that the command is the right one.</source>
        <translation>检查该命令是否正确。</translation>
    </message>
    <message>
        <source>The credential plug-in %1 crashed.</source>
        <translation>凭据插件 %1 崩溃。</translation>
    </message>
    <message>
        <source>The credential plug-in %1 crashed: %2</source>
        <translation>凭据插件 %1 崩溃：%2</translation>
    </message>
    <message>
        <source>Run it in a terminal and look at what is wrong.</source>
        <translation>在终端中运行它，查看出错原因。</translation>
    </message>
    <message>
        <source>The credential plug-in %1 failed with code %2.</source>
        <translation>凭据插件 %1 失败，退出码 %2。</translation>
    </message>
    <message>
        <source>The credential plug-in %1 failed with code %2: %3</source>
        <translation>凭据插件 %1 失败，退出码 %2：%3</translation>
    </message>
    <message>
        <source>Run it in a terminal and log in, then reconnect.</source>
        <translation>在终端中运行并登录，然后重新连接。</translation>
    </message>
    <message>
        <source>The server&apos;s list could not be read.</source>
        <translation>无法读取服务器返回的列表。</translation>
    </message>
    <message>
        <source>It is asked for again; if this stays, look for a proxy that changes answers.</source>
        <translation>会再次请求；若持续出现，检查是否有代理改动了响应。</translation>
    </message>
    <message>
        <source>The namespace %1 of %2 is not a possible name.</source>
        <translation>%2 的命名空间 %1 不是合法名称。</translation>
    </message>
    <message>
        <source>Use lower-case letters, digits and hyphens, at most 63.</source>
        <translation>使用小写字母、数字和连字符，最多 63 个字符。</translation>
    </message>
    <message>
        <source>Correct the file at this place and load it again.</source>
        <translation>更正文件的此处后重新载入。</translation>
    </message>
    <message>
        <source>The field %1 is not a list (line %2).</source>
        <translation>字段 %1 不是列表（第 %2 行）。</translation>
    </message>
    <message>
        <source>An entry of %1 has no name (line %2).</source>
        <translation>%1 中有一项没有名称（第 %2 行）。</translation>
    </message>
    <message>
        <source>The field %1 of %2 has a value of the wrong kind (line %3).</source>
        <translation>%2 的字段 %1 的值类型有误（第 %3 行）。</translation>
    </message>
    <message>
        <source>The cluster %1 names a certificate authority and insecure-skip-tls-verify at once.</source>
        <translation>集群 %1 同时指定了证书颁发机构和 insecure-skip-tls-verify。</translation>
    </message>
    <message>
        <source>Remove insecure-skip-tls-verify, so that the server is checked.</source>
        <translation>删除 insecure-skip-tls-verify，以便核验服务器。</translation>
    </message>
    <message>
        <source>The proxy-url of the cluster %1 is not a usable address.</source>
        <translation>集群 %1 的 proxy-url 不是可用的地址。</translation>
    </message>
    <message>
        <source>Write it like http://proxy.example:8080; https and socks5 are possible as well.</source>
        <translation>写成 http://proxy.example:8080 的形式；也可使用 https 和 socks5。</translation>
    </message>
    <message>
        <source>The file is not a kubeconfig.</source>
        <translation>该文件不是 kubeconfig。</translation>
    </message>
    <message>
        <source>Choose a file that holds clusters, users and contexts.</source>
        <translation>选择含有 clusters、users 和 contexts 的文件。</translation>
    </message>
    <message>
        <source>The file holds several documents; only the first one is read.</source>
        <translation>文件含有多个文档，只读取第一个。</translation>
    </message>
    <message>
        <source>Put the others into files of their own.</source>
        <translation>将其余文档放入各自的文件。</translation>
    </message>
    <message>
        <source>The field %1 of %2 stands there twice, and nothing says which one is meant.</source>
        <translation>%2 的字段 %1 出现两次，无法判断以哪个为准。</translation>
    </message>
    <message>
        <source>Remove one of them.</source>
        <translation>删除其中一个。</translation>
    </message>
    <message>
        <source>The field %1 of %2 holds PEM text where base64 of it belongs.</source>
        <translation>%2 的字段 %1 应为 base64，实际为 PEM 文本。</translation>
    </message>
    <message>
        <source>Encode it with base64 -w0, or name the file in the field without -data.</source>
        <translation>用 base64 -w0 编码，或在不带 -data 的字段中写文件名。</translation>
    </message>
    <message>
        <source>The field %1 of %2 is not base64: wrong character at position %3.</source>
        <translation>%2 的字段 %1 不是 base64：位置 %3 的字符有误。</translation>
    </message>
    <message>
        <source>Copy the value again from where it came.</source>
        <translation>从来源重新复制该值。</translation>
    </message>
    <message>
        <source>The field %1 of %2 is not base64: it is cut off after %3 characters.</source>
        <translation>%2 的字段 %1 不是 base64：在 %3 个字符后中断。</translation>
    </message>
    <message>
        <source>%1 of %2 holds no certificate in PEM form.</source>
        <translation>%2 的 %1 中没有 PEM 格式的证书。</translation>
    </message>
    <message>
        <source>It has to hold text that begins with -----BEGIN CERTIFICATE-----.</source>
        <translation>其内容须以 -----BEGIN CERTIFICATE----- 开头。</translation>
    </message>
    <message>
        <source>%1 of %2 is a private key that needs a password.</source>
        <translation>%2 的 %1 是需要密码的私钥。</translation>
    </message>
    <message>
        <source>Store the key without a password, or use a credential plug-in.</source>
        <translation>保存不带密码的密钥，或使用凭据插件。</translation>
    </message>
    <message>
        <source>%1 of %2 holds no private key in PEM form.</source>
        <translation>%2 的 %1 中没有 PEM 格式的私钥。</translation>
    </message>
    <message>
        <source>It has to hold text that begins with -----BEGIN PRIVATE KEY-----.</source>
        <translation>其内容须以 -----BEGIN PRIVATE KEY----- 开头。</translation>
    </message>
    <message>
        <source>None of the files that KUBECONFIG names exists: %1.</source>
        <translation>KUBECONFIG 指定的文件都不存在：%1。</translation>
    </message>
    <message>
        <source>Correct KUBECONFIG, or choose a file.</source>
        <translation>更正 KUBECONFIG，或选择文件。</translation>
    </message>
    <message>
        <source>The name %1 stands in %2 and in %3 with different values; the first file counts.</source>
        <translation>名称 %1 在 %2 和 %3 中的值不同，以第一个文件为准。</translation>
    </message>
    <message>
        <source>Rename one of them if both are needed.</source>
        <translation>如果两者都需要，重命名其中一个。</translation>
    </message>
    <message>
        <source>Rename or remove one of them.</source>
        <translation>重命名或删除其中一个。</translation>
    </message>
    <message>
        <source>The context %1 names no cluster.</source>
        <translation>上下文 %1 未指定集群。</translation>
    </message>
    <message>
        <source>Add the field cluster to the context.</source>
        <translation>为该上下文添加字段 cluster。</translation>
    </message>
    <message>
        <source>The context %1 names the cluster %2, which is not there.</source>
        <translation>上下文 %1 指定的集群 %2 不存在。</translation>
    </message>
    <message>
        <source>Add the cluster, or load the file that holds it as well.</source>
        <translation>添加该集群，或一并载入含有它的文件。</translation>
    </message>
    <message>
        <source>The cluster name %1 stands more than once in %2; none of them is picked.</source>
        <translation>集群名称 %1 在 %2 中出现多次，均未采用。</translation>
    </message>
    <message>
        <source>The context %1 names the user %2, which is not there.</source>
        <translation>上下文 %1 指定的用户 %2 不存在。</translation>
    </message>
    <message>
        <source>Add the user, or load the file that holds it as well.</source>
        <translation>添加该用户，或一并载入含有它的文件。</translation>
    </message>
    <message>
        <source>The user name %1 stands more than once in %2; none of them is picked.</source>
        <translation>用户名称 %1 在 %2 中出现多次，均未采用。</translation>
    </message>
    <message>
        <source>The server is reached over http, so the credential is not sent.</source>
        <translation>服务器通过 http 访问，因此不发送凭据。</translation>
    </message>
    <message>
        <source>Use an https address.</source>
        <translation>使用 https 地址。</translation>
    </message>
    <message>
        <source>The file switches the check of the server&apos;s certificate off (insecure-skip-tls-verify).</source>
        <translation>该文件关闭了对服务器证书的核验（insecure-skip-tls-verify）。</translation>
    </message>
    <message>
        <source>Name the certificate authority instead.</source>
        <translation>改为指定证书颁发机构。</translation>
    </message>
    <message>
        <source>The context name %1 stands more than once in %2; none of them is picked.</source>
        <translation>上下文名称 %1 在 %2 中出现多次，均未采用。</translation>
    </message>
    <message>
        <source>The file %1 does not exist.</source>
        <translation>文件 %1 不存在。</translation>
    </message>
    <message>
        <source>Put the file there, or correct its path.</source>
        <translation>将文件放到该处，或更正路径。</translation>
    </message>
    <message>
        <source>There is no permission to read the file %1.</source>
        <translation>没有读取文件 %1 的权限。</translation>
    </message>
    <message>
        <source>Give your account the right to read it.</source>
        <translation>为你的账号授予读取权限。</translation>
    </message>
    <message>
        <source>A name in the path %1 is longer than 255 bytes.</source>
        <translation>路径 %1 中有名称超过 255 字节。</translation>
    </message>
    <message>
        <source>Correct the path.</source>
        <translation>更正路径。</translation>
    </message>
    <message>
        <source>The file %1 cannot be read.</source>
        <translation>无法读取文件 %1。</translation>
    </message>
    <message>
        <source>Check the file and the disk it is on.</source>
        <translation>检查该文件及其所在磁盘。</translation>
    </message>
    <message>
        <source>%1 is not a regular file.</source>
        <translation>%1 不是普通文件。</translation>
    </message>
    <message>
        <source>Name a file; folders, pipes and devices cannot be read.</source>
        <translation>指定一个文件；文件夹、管道和设备无法读取。</translation>
    </message>
    <message>
        <source>The file %1 is larger than %2 bytes.</source>
        <translation>文件 %1 超过 %2 字节。</translation>
    </message>
    <message>
        <source>Check that it is the file you mean.</source>
        <translation>检查是否为所需的文件。</translation>
    </message>
    <message>
        <source>The user %1 names as-uid, as-groups or as-user-extra without as.</source>
        <translation>用户 %1 设置了 as-uid、as-groups 或 as-user-extra，但没有 as。</translation>
    </message>
    <message>
        <source>Add the field as with the name to act as.</source>
        <translation>添加字段 as，写入要扮演的名称。</translation>
    </message>
    <message>
        <source>A name that the user %1 acts as holds a line break or a control character.</source>
        <translation>用户 %1 扮演的名称中含有换行符或控制字符。</translation>
    </message>
    <message>
        <source>Correct the fields that begin with as.</source>
        <translation>更正以 as 开头的字段。</translation>
    </message>
    <message>
        <source>The user %1 has a client-key but no client-certificate.</source>
        <translation>用户 %1 有 client-key，但没有 client-certificate。</translation>
    </message>
    <message>
        <source>The user %1 has a client-certificate but no client-key.</source>
        <translation>用户 %1 有 client-certificate，但没有 client-key。</translation>
    </message>
    <message>
        <source>Both are needed; add the missing one.</source>
        <translation>两者都需要，补上缺少的一个。</translation>
    </message>
    <message>
        <source>An env entry of the user %1 has no usable name or value.</source>
        <translation>用户 %1 的一个 env 项没有可用的名称或值。</translation>
    </message>
    <message>
        <source>Each entry needs a name and a value.</source>
        <translation>每一项都需要名称和值。</translation>
    </message>
    <message>
        <source>The credential plug-in of the user %1 names no command.</source>
        <translation>用户 %1 的凭据插件未指定命令。</translation>
    </message>
    <message>
        <source>Add the field command below exec.</source>
        <translation>在 exec 下添加字段 command。</translation>
    </message>
    <message>
        <source>The credential plug-in of the user %1 in %2 names no apiVersion.</source>
        <translation>%2 中用户 %1 的凭据插件未指定 apiVersion。</translation>
    </message>
    <message>
        <source>The credential plug-in of the user %1 in %2 asks for %3, which no longer exists.</source>
        <translation>%2 中用户 %1 的凭据插件要求 %3，该版本已不存在。</translation>
    </message>
    <message>
        <source>Write client.authentication.k8s.io/v1beta1 or client.authentication.k8s.io/v1 as its apiVersion, whichever the plug-in answers in.</source>
        <translation>将 apiVersion 写为 client.authentication.k8s.io/v1beta1 或 client.authentication.k8s.io/v1，以插件返回的版本为准。</translation>
    </message>
    <message>
        <source>The credential plug-in of the user %1 always asks questions in a terminal, which is not there.</source>
        <translation>用户 %1 的凭据插件总要在终端中提问，而此处没有终端。</translation>
    </message>
    <message>
        <source>Use a token for this cluster, or set interactiveMode to IfAvailable if the plug-in can do without.</source>
        <translation>为此集群使用令牌；若插件无需提问，将 interactiveMode 设为 IfAvailable。</translation>
    </message>
    <message>
        <source>The interactiveMode of the credential plug-in of the user %1 is missing or unknown.</source>
        <translation>用户 %1 的凭据插件的 interactiveMode 缺失或未知。</translation>
    </message>
    <message>
        <source>Write Never or IfAvailable.</source>
        <translation>写 Never 或 IfAvailable。</translation>
    </message>
    <message>
        <source>The token of the user %1 holds a line break or a control character.</source>
        <translation>用户 %1 的令牌含有换行符或控制字符。</translation>
    </message>
    <message>
        <source>The user %1 has a token and a user name with password at once.</source>
        <translation>用户 %1 同时有令牌和用户名密码。</translation>
    </message>
    <message>
        <source>Remove one of them; nothing says which one is meant.</source>
        <translation>删除其中一个，无法判断以哪个为准。</translation>
    </message>
    <message>
        <source>The user name of %1 holds a colon or a control character.</source>
        <translation>%1 的用户名含有冒号或控制字符。</translation>
    </message>
    <message>
        <source>Such a name cannot be sent; use another credential.</source>
        <translation>这样的名称无法发送，使用其他凭据。</translation>
    </message>
    <message>
        <source>The user %1 uses the auth-provider %2, which is not supported.</source>
        <translation>用户 %1 使用的 auth-provider %2 不受支持。</translation>
    </message>
    <message>
        <source>Let your login tool write an exec entry instead, for instance kubelogin for oidc.</source>
        <translation>改用登录工具写入 exec 项，例如 oidc 可用 kubelogin。</translation>
    </message>
    <message>
        <source>The file is not valid YAML.</source>
        <translation>文件不是有效的 YAML。</translation>
    </message>
    <message>
        <source>Correct the file and load it again.</source>
        <translation>更正文件后重新载入。</translation>
    </message>
    <message>
        <source>The file is not valid YAML: line %1, column %2.</source>
        <translation>文件不是有效的 YAML：第 %1 行，第 %2 列。</translation>
    </message>
    <message>
        <source>The file nests more than %3 levels deep: line %1, column %2.</source>
        <translation>文件嵌套超过 %3 层：第 %1 行，第 %2 列。</translation>
    </message>
    <message>
        <source>No kubeconfig does that; check where the file comes from.</source>
        <translation>kubeconfig 不会如此，检查文件的来源。</translation>
    </message>
    <message>
        <source>The file holds more than %3 values: line %1, column %2.</source>
        <translation>文件含有超过 %3 个值：第 %1 行，第 %2 列。</translation>
    </message>
    <message>
        <source>An alias in the file contains itself: line %1, column %2.</source>
        <translation>文件中的别名引用了自身：第 %1 行，第 %2 列。</translation>
    </message>
    <message>
        <source>What answers there is no Kubernetes API server.</source>
        <translation>应答的不是 Kubernetes API 服务器。</translation>
    </message>
    <message>
        <source>No Prometheus was found in the cluster.</source>
        <translation>集群中未找到 Prometheus。</translation>
    </message>
    <message>
        <source>No Prometheus in the cluster answers. Tried: %1.</source>
        <translation>集群中没有 Prometheus 响应。已尝试：%1。</translation>
    </message>
    <message>
        <source>Give the address of your Prometheus in the connection&apos;s settings.</source>
        <translation>在连接设置中填写 Prometheus 的地址。</translation>
    </message>
    <message>
        <source>The node %1 is no longer the one that was chosen: it was removed and added again.</source>
        <translation>节点 %1 已不是所选的那个：它被删除后又重新加入。</translation>
    </message>
    <message>
        <source>Somebody else changed the node %1 in the meantime, so nothing was done to it.</source>
        <translation>期间有他人修改了节点 %1，因此未对其执行任何操作。</translation>
    </message>
    <message>
        <source>The answer to the watch is not a stream of events.</source>
        <translation>watch 的响应不是事件流。</translation>
    </message>
    <message>
        <source>Look for a proxy or a login page between here and the server.</source>
        <translation>检查本机与服务器之间是否有代理或登录页。</translation>
    </message>
    <message>
        <source>The server gives the same page again and again.</source>
        <translation>服务器反复返回同一页。</translation>
    </message>
    <message>
        <source>The server ended the watch at once.</source>
        <translation>服务器立即结束了 watch。</translation>
    </message>
    <message>
        <source>The server was silent for too long; the link is renewed.</source>
        <translation>服务器静默过久，正在重新建立连接。</translation>
    </message>
    <message>
        <source>The server keeps forgetting the version that it just gave.</source>
        <translation>服务器一再丢失刚给出的版本。</translation>
    </message>
    <message>
        <source>The server address %1 is not a usable URL.</source>
        <translation>服务器地址 %1 不是可用的 URL。</translation>
    </message>
    <message>
        <source>Write it like https://api.example:6443.</source>
        <translation>写成 https://api.example:6443 的形式。</translation>
    </message>
    <message>
        <source>The IPv6 address in %1 needs brackets.</source>
        <translation>%1 中的 IPv6 地址需要方括号。</translation>
    </message>
    <message>
        <source>Write %2 or %3, whichever is meant.</source>
        <translation>根据实际含义写成 %2 或 %3。</translation>
    </message>
    <message>
        <source>Write it like %2.</source>
        <translation>写成 %2 的形式。</translation>
    </message>
    <message>
        <source>The port in the server address %1 is not a number from 1 to 65535.</source>
        <translation>服务器地址 %1 的端口不是 1 到 65535 的数字。</translation>
    </message>
    <message>
        <source>The cluster has no server address.</source>
        <translation>该集群没有服务器地址。</translation>
    </message>
    <message>
        <source>Add the field server, like https://api.example:6443.</source>
        <translation>添加字段 server，例如 https://api.example:6443。</translation>
    </message>
    <message>
        <source>The server address %1 has no scheme.</source>
        <translation>服务器地址 %1 没有协议前缀。</translation>
    </message>
    <message>
        <source>Write it with https:// or http:// in front, like %2.</source>
        <translation>在前面加上 https:// 或 http://，例如 %2。</translation>
    </message>
    <message>
        <source>The server address %1 is neither https nor http.</source>
        <translation>服务器地址 %1 既不是 https 也不是 http。</translation>
    </message>
    <message>
        <source>The server address %1 holds a user name or a password.</source>
        <translation>服务器地址 %1 含有用户名或密码。</translation>
    </message>
    <message>
        <source>Move them to the fields username and password of the user.</source>
        <translation>将它们移到用户的 username 和 password 字段。</translation>
    </message>
    <message>
        <source>The server address %1 names a network zone (the part after the percent sign), which is not supported.</source>
        <translation>服务器地址 %1 指定了网络区域（百分号之后的部分），不支持这种写法。</translation>
    </message>
    <message>
        <source>Use the server&apos;s global address or its name.</source>
        <translation>使用服务器的全局地址或名称。</translation>
    </message>
    <message>
        <source>%1 in the server address is not an IPv6 address.</source>
        <translation>服务器地址中的 %1 不是 IPv6 地址。</translation>
    </message>
    <message>
        <source>Brackets are for IPv6 addresses, like https://[2001:db8::10]:6443.</source>
        <translation>方括号用于 IPv6 地址，例如 https://[2001:db8::10]:6443。</translation>
    </message>
    <message>
        <source>What answers there is no Prometheus.</source>
        <translation>应答的不是 Prometheus。</translation>
    </message>
    <message>
        <source>The token file %1 is empty.</source>
        <translation>令牌文件 %1 为空。</translation>
    </message>
    <message>
        <source>The token file %1 holds more than one line, or control characters.</source>
        <translation>令牌文件 %1 含有多行或控制字符。</translation>
    </message>
    <message>
        <source>Log in again, so that the file is written anew.</source>
        <translation>重新登录，以便重写该文件。</translation>
    </message>
    <message>
        <source>The server refuses the user name and password of %1.</source>
        <translation>服务器拒绝 %1 的用户名和密码。</translation>
    </message>
    <message>
        <source>The server refuses the token of %1: it is wrong or has expired.</source>
        <translation>服务器拒绝 %1 的令牌：令牌有误或已过期。</translation>
    </message>
    <message>
        <source>Log in again with your cluster&apos;s tool, then reconnect.</source>
        <translation>用集群的登录工具重新登录，然后重新连接。</translation>
    </message>
    <message>
        <source>The server refuses the token in %1: it is wrong or has expired.</source>
        <translation>服务器拒绝 %1 中的令牌：令牌有误或已过期。</translation>
    </message>
    <message>
        <source>Prometheus refused the query: %1</source>
        <translation>Prometheus 拒绝查询：%1</translation>
    </message>
    <message>
        <source>Look at the query and at the limits of this Prometheus.</source>
        <translation>检查查询语句和此 Prometheus 的限制。</translation>
    </message>
    <message>
        <source>The answer is not one of Prometheus.</source>
        <translation>返回的不是 Prometheus 的响应。</translation>
    </message>
    <message>
        <source>Check the address of Prometheus, and whether a proxy or a login page answers in its place.</source>
        <translation>检查 Prometheus 地址，以及应答的是否为代理或登录页。</translation>
    </message>
    <message>
        <source>The API server could not reach Prometheus: %1</source>
        <translation>API 服务器无法连接 Prometheus：%1</translation>
    </message>
    <message>
        <source>Prometheus answered with HTTP status %1.</source>
        <translation>Prometheus 返回 HTTP 状态 %1。</translation>
    </message>
    <message>
        <source>The table of metrics cannot be read: %1</source>
        <translation>无法读取指标对照表：%1</translation>
    </message>
    <message>
        <source>Correct the file, or remove it to use the built-in table.</source>
        <translation>更正该文件，或删除它以使用内置对照表。</translation>
    </message>
    <message>
        <source>The fault plan cannot be read.</source>
        <translation>无法读取故障计划。</translation>
    </message>
    <message>
        <source>Check the file&apos;s name and that you may read it.</source>
        <translation>检查文件名以及读取权限。</translation>
    </message>
    <message>
        <source>The fault plan is not a JSON list of faults.</source>
        <translation>故障计划不是 JSON 故障列表。</translation>
    </message>
    <message>
        <source>Write it as [{&quot;at_seconds&quot;: 5, &quot;fault&quot;: &quot;restart&quot;}].</source>
        <translation>写成 [{&quot;at_seconds&quot;: 5, &quot;fault&quot;: &quot;restart&quot;}] 的形式。</translation>
    </message>
    <message>
        <source>The embedded pool cannot listen on port %1.</source>
        <translation>演示资源池无法监听端口 %1。</translation>
    </message>
    <message>
        <source>Choose another port, or leave it out to take any free one.</source>
        <translation>选择其他端口，或不指定端口以使用任一空闲端口。</translation>
    </message>
    <message>
        <source>The embedded pool found no free port.</source>
        <translation>演示资源池未找到空闲端口。</translation>
    </message>
    <message>
        <source>Name a port that is free on 127.0.0.1 and ::1.</source>
        <translation>指定一个在 127.0.0.1 和 ::1 上空闲的端口。</translation>
    </message>
    <message>
        <source>The kubeconfig of the embedded pool cannot be written.</source>
        <translation>无法写入演示资源池的 kubeconfig。</translation>
    </message>
    <message>
        <source>Choose a folder that exists and that you may write to.</source>
        <translation>选择一个存在且可写的文件夹。</translation>
    </message>
    <message>
        <source>The embedded pool has no clusters.</source>
        <translation>演示资源池没有集群。</translation>
    </message>
    <message>
        <source>Ask for at least one cluster and one card.</source>
        <translation>至少指定 1 个集群和 1 张卡。</translation>
    </message>
    <message>
        <source>The embedded pool could not make its certificate.</source>
        <translation>演示资源池无法生成证书。</translation>
    </message>
    <message>
        <source>Check that OpenSSL&apos;s random generator and P-256 work here.</source>
        <translation>检查本机 OpenSSL 的随机数发生器和 P-256 是否可用。</translation>
    </message>
    <message>
        <source>The audit log %1 cannot be written.</source>
        <translation>无法写入审计日志 %1。</translation>
    </message>
    <message>
        <source>Free some space, or make the folder writable; until then actions leave no line.</source>
        <translation>释放一些空间，或让该文件夹可写；在此之前操作不会留下记录。</translation>
    </message>
    <message>
        <source>The audit log %1 cannot be read.</source>
        <translation>无法读取审计日志 %1。</translation>
    </message>
    <message>
        <source>Check that you may read it.</source>
        <translation>检查是否有读取权限。</translation>
    </message>
    <message>
        <source>The settings cannot be saved in %1.</source>
        <translation>无法将设置保存到 %1。</translation>
    </message>
    <message>
        <source>They hold until the program ends. Make the file and its folder writable to keep them.</source>
        <translation>设置在程序结束前有效。让该文件及其文件夹可写即可保留。</translation>
    </message>
    <message>
        <source>The settings in %1 were written by a later version of this program and are left as they are.</source>
        <translation>%1 中的设置由更新版本的程序写入，保持原样。</translation>
    </message>
    <message>
        <source>What you change now holds until the program ends. Update the program, or agree to overwrite them.</source>
        <translation>现在的更改在程序结束前有效。更新程序，或同意覆盖。</translation>
    </message>
    <message>
        <source>The settings in %1 could not be read; the last good copy is used.</source>
        <translation>无法读取 %1 中的设置，使用最近一份完好的副本。</translation>
    </message>
    <message>
        <source>The settings in %1 could not be read; the program starts with its defaults.</source>
        <translation>无法读取 %1 中的设置，程序以默认设置启动。</translation>
    </message>
    <message>
        <source>The settings in %1 could not be read; the last good copy is used. The spoiled file is kept as %2.</source>
        <translation>无法读取 %1 中的设置，使用最近一份完好的副本。损坏的文件保留为 %2。</translation>
    </message>
    <message>
        <source>The settings in %1 could not be read; the program starts with its defaults. The spoiled file is kept as %2.</source>
        <translation>无法读取 %1 中的设置，程序以默认设置启动。损坏的文件保留为 %2。</translation>
    </message>
    <message>
        <source>Look at your connections and views; nothing else needs to be done.</source>
        <translation>核对连接和视图，无需其他操作。</translation>
    </message>
    <message>
        <source>Open Connections and say whether it may.</source>
        <translation>在“连接”中选择是否允许运行。</translation>
    </message>
    <message>
        <source>“%1” is not a filter key; %2 is.</source>
        <translation>“%1”不是筛选键，是否想写 %2？</translation>
    </message>
    <message>
        <source>Correct it, or put it in quotes to look for the text.</source>
        <translation>请改正，或加上引号按文本查找。</translation>
    </message>
    <message>
        <source>“%1” is no value of %2; there are: %3.</source>
        <translation>“%1”不是 %2 的取值，可用的有：%3。</translation>
    </message>
    <message>
        <source>Take one of the suggestions.</source>
        <translation>请从建议中选择一个。</translation>
    </message>
    <message>
        <source>This file is there already, and no pool wrote it.</source>
        <translation>该文件已存在，且不是由资源池写入的。</translation>
    </message>
    <message>
        <source>Give another file name, or move this file away first.</source>
        <translation>请换一个文件名，或先移走该文件。</translation>
    </message>
    <message>
        <source>This cluster has no Prometheus to ask.</source>
        <translation>该集群没有可查询的 Prometheus。</translation>
    </message>
    <message>
        <source>Look at its state in Connections.</source>
        <translation>在“连接”中查看其状态。</translation>
    </message>
    <message>
        <source>No exporter reports this card at present.</source>
        <translation>目前没有 exporter 上报该卡。</translation>
    </message>
    <message>
        <source>%1 of %2 is cut off: its -----END line is missing.</source>
        <translation>%2 的 %1 不完整：缺少 -----END 行。</translation>
    </message>
    <message>
        <source>There is no context in %1.</source>
        <translation>%1 中没有上下文。</translation>
    </message>
    <message>
        <source>The file may be empty or cut off: copy or download it again, or choose another.</source>
        <translation>文件可能为空或被截断：重新复制或下载，或选择其他文件。</translation>
    </message>
    <message>
        <source>The current context %1 is not there, and neither is any other context up to the end at line %2.</source>
        <translation>当前上下文 %1 不存在，到第 %2 行文件结束也没有其他上下文。</translation>
    </message>
    <message>
        <source>The file may be cut off: copy or download it again.</source>
        <translation>文件可能被截断：重新复制或下载。</translation>
    </message>
    <message>
        <source>The current context %1 is not there; there are: %2.</source>
        <translation>当前上下文 %1 不存在；现有：%2。</translation>
    </message>
    <message>
        <source>Pick one of these.</source>
        <translation>选择其中之一。</translation>
    </message>
    <message>
        <source>The file is not valid YAML: it ends at line %1, column %2 inside a quoted text.</source>
        <translation>文件不是有效的 YAML：在第 %1 行第 %2 列结束时引号尚未闭合。</translation>
    </message>
    <message>
        <source>If the file was cut off, copy or download it again; otherwise look for a quotation mark that is not closed.</source>
        <translation>若文件被截断，重新复制或下载；否则查找未闭合的引号。</translation>
    </message>
    <message>
        <source>The file is not valid YAML: it ends at line %1 before a bracket is closed.</source>
        <translation>文件不是有效的 YAML：在第 %1 行结束时括号尚未闭合。</translation>
    </message>
    <message>
        <source>If the file was cut off, copy or download it again; otherwise look for a bracket that is not closed.</source>
        <translation>若文件被截断，重新复制或下载；否则查找未闭合的括号。</translation>
    </message>
    <message>
        <source>The file is not valid YAML: line %1, column %2, inside brackets.</source>
        <translation>文件不是有效的 YAML：第 %1 行，第 %2 列，在括号之内。</translation>
    </message>
    <message>
        <source>Look for a bracket, a comma or a colon that is missing here.</source>
        <translation>查找此处缺少的括号、逗号或冒号。</translation>
    </message>
    <message>
        <source>The file is not valid YAML: line %1, column %2, where a tab stands in the indentation.</source>
        <translation>文件不是有效的 YAML：第 %1 行，第 %2 列，缩进中有制表符。</translation>
    </message>
    <message>
        <source>Indent with blanks, then load the file again.</source>
        <translation>改用空格缩进后重新载入。</translation>
    </message>
    <message>
        <source>The file is not valid YAML: line %1, column %2, which does not fit the lines above.</source>
        <translation>文件不是有效的 YAML：第 %1 行，第 %2 列，与上文的结构不符。</translation>
    </message>
    <message>
        <source>Look at the indentation here, and for a colon or a hyphen that is missing or too many.</source>
        <translation>检查此处的缩进，以及缺少或多余的冒号和连字符。</translation>
    </message>
    <message>
        <source>The client certificate of the user %1 expired on %2.</source>
        <translation>用户 %1 的客户端证书已于 %2 过期。</translation>
    </message>
    <message>
        <source>Log in again or ask whoever runs the cluster for a new one, and put it into the kubeconfig. If it should still be good, check this computer&apos;s clock.</source>
        <translation>重新登录或向集群管理员索取新证书，并写入 kubeconfig。若证书本应有效，检查本机时钟。</translation>
    </message>
    <message>
        <source>The client certificate of the user %1 is valid only from %2.</source>
        <translation>用户 %1 的客户端证书自 %2 起才有效。</translation>
    </message>
    <message>
        <source>Check this computer&apos;s clock; if it is right, wait until then or ask whoever runs the cluster for another one.</source>
        <translation>检查本机时钟；若时钟无误，等到那时，或向集群管理员索取另一份证书。</translation>
    </message>
    <message>
        <source>Look at “tongchi help inventory”.</source>
        <translation>参见 “tongchi help inventory”。</translation>
    </message>
    <message>
        <source>Look at “tongchi help pool serve”.</source>
        <translation>参见 “tongchi help pool serve”。</translation>
    </message>
    <message>
        <source>Look at “tongchi help screenshot”.</source>
        <translation>参见 “tongchi help screenshot”。</translation>
    </message>
    <message>
        <source>Look at “tongchi help”.</source>
        <translation>参见 “tongchi help”。</translation>
    </message>
    <message>
        <source>There is no option %1.</source>
        <translation>没有选项 %1。</translation>
    </message>
    <message>
        <source>The option %1 needs a value: %2.</source>
        <translation>选项 %1 需要一个值：%2。</translation>
    </message>
    <message>
        <source>The option %1 takes no value.</source>
        <translation>选项 %1 不带值。</translation>
    </message>
    <message>
        <source>The verb is “pool serve”.</source>
        <translation>完整的子命令是 “pool serve”。</translation>
    </message>
    <message>
        <source>“inventory” takes no argument “%1”; a filter goes to --filter.</source>
        <translation>“inventory” 不接受参数 “%1”；筛选条件写在 --filter 之后。</translation>
    </message>
    <message>
        <source>There is no verb “%1”; there are: inventory, pool serve, screenshot, help.</source>
        <translation>没有子命令 “%1”；现有：inventory、pool serve、screenshot、help。</translation>
    </message>
    <message>
        <source>“%1” takes no argument “%2”.</source>
        <translation>“%1” 不接受参数 “%2”。</translation>
    </message>
    <message>
        <source>The file of the picture is missing: tongchi screenshot [PANE] FILE.png.</source>
        <translation>缺少图片文件名：tongchi screenshot [PANE] FILE.png。</translation>
    </message>
    <message>
        <source>There is no pane “%1”; there are: %2.</source>
        <translation>没有面板 “%1”；现有：%2。</translation>
    </message>
    <message>
        <source>The name of the picture&apos;s file is empty.</source>
        <translation>图片文件名为空。</translation>
    </message>
    <message>
        <source>The picture is a PNG; “%1” has to end in .png instead.</source>
        <translation>图片为 PNG 格式；“%1” 应改为以 .png 结尾。</translation>
    </message>
    <message>
        <source>“%1” takes no option --%2. It takes: %3.</source>
        <translation>“%1” 没有选项 --%2。可用的选项：%3。</translation>
    </message>
    <message>
        <source>The value of --%2 is empty.</source>
        <translation>--%2 的值为空。</translation>
    </message>
    <message>
        <source>--%1 and --%2 exclude each other.</source>
        <translation>--%1 与 --%2 不能同时使用。</translation>
    </message>
    <message>
        <source>--%1 says how the embedded pool is; it needs --embedded.</source>
        <translation>--%1 用于设定演示资源池，需要同时给出 --embedded。</translation>
    </message>
    <message>
        <source>--%1 needs --kubeconfig, --context or --all-contexts to go with.</source>
        <translation>--%1 需要与 --kubeconfig、--context 或 --all-contexts 一起使用。</translation>
    </message>
    <message>
        <source>--%1 goes with the pane cards alone.</source>
        <translation>--%1 只用于 cards 面板。</translation>
    </message>
    <message>
        <source>%1 clusters need %2 ports from --port on; give at most %3.</source>
        <translation>%1 个集群从 --port 起需要 %2 个端口；最大可取 %3。</translation>
    </message>
    <message>
        <source>A picture has at most 100 million pixels; make --size or --scale smaller.</source>
        <translation>图片最多 1 亿像素；减小 --size 或 --scale。</translation>
    </message>
    <message>
        <source>The argument “%1” is not valid UTF-8.</source>
        <translation>参数 “%1” 不是有效的 UTF-8。</translation>
    </message>
    <message>
        <source>Give file names in UTF-8; a link with such a name will do.</source>
        <translation>文件名应为 UTF-8；可为原文件建一个这样命名的链接。</translation>
    </message>
    <message>
        <source>“%1” is no value of --%2: it takes a whole number from %3 to %4.</source>
        <translation>“%1” 不是 --%2 的有效值：应为 %3 到 %4 的整数。</translation>
    </message>
    <message>
        <source>“%1” is no value of --%2: it takes a number from %3 to %4.</source>
        <translation>“%1” 不是 --%2 的有效值：应为 %3 到 %4 的数。</translation>
    </message>
    <message>
        <source>“%1” is no value of --%2: it takes seconds, from %3 to %4.</source>
        <translation>“%1” 不是 --%2 的有效值：应为秒数，%3 到 %4。</translation>
    </message>
    <message>
        <source>“%1” is no value of --%2: it takes one of %3.</source>
        <translation>“%1” 不是 --%2 的有效值：应为以下之一：%3。</translation>
    </message>
    <message>
        <source>“%1” is no value of --%2: it takes WIDTHxHEIGHT in pixels, from %3 to %4.</source>
        <translation>“%1” 不是 --%2 的有效值：应为 WIDTHxHEIGHT（像素），%3 到 %4。</translation>
    </message>
    <message>
        <source>“%1” is no value of --%2: it takes an http or https URL, or CLUSTER=URL, like beijing=https://prometheus.example:9090.</source>
        <translation>“%1” 不是 --%2 的有效值：应为 http 或 https 地址，或 CLUSTER=URL，例如 beijing=https://prometheus.example:9090。</translation>
    </message>
    <message>
        <source>This is a folder.</source>
        <translation>这是一个文件夹。</translation>
    </message>
    <message>
        <source>Name a file in it.</source>
        <translation>给出其中的文件名。</translation>
    </message>
    <message>
        <source>The folder of the picture cannot be made.</source>
        <translation>无法创建图片所在的文件夹。</translation>
    </message>
    <message>
        <source>The picture cannot be written.</source>
        <translation>无法写入图片。</translation>
    </message>
    <message>
        <source>The display cannot be reached.</source>
        <translation>无法连接显示器。</translation>
    </message>
    <message>
        <source>Use “tongchi inventory”, or “tongchi screenshot” for a picture.</source>
        <translation>使用 “tongchi inventory”，或用 “tongchi screenshot” 生成图片。</translation>
    </message>
    <message>
        <source>There is no display.</source>
        <translation>没有可用的显示器。</translation>
    </message>
    <message>
        <source>--prometheus names the cluster “%1”, which is not among the chosen ones: %2.</source>
        <translation>--prometheus 指定的集群 “%1” 不在所选集群之中：%2。</translation>
    </message>
    <message>
        <source>Correct the name, or choose its context as well.</source>
        <translation>更正名称，或一并选择其上下文。</translation>
    </message>
    <message>
        <source>There is no context named “%1”; there are: %2.</source>
        <translation>没有名为 “%1” 的上下文；现有：%2。</translation>
    </message>
    <message>
        <source>Choose one of these, or another kubeconfig.</source>
        <translation>选择其中之一，或换一个 kubeconfig。</translation>
    </message>
    <message>
        <source>Name one with --context, or take them all with --all-contexts.</source>
        <translation>用 --context 指定一个，或用 --all-contexts 选择全部。</translation>
    </message>
    <message>
        <source>nodes of %1</source>
        <translation>%1 的节点</translation>
    </message>
    <message>
        <source>pods of %1</source>
        <translation>%1 的 Pod</translation>
    </message>
    <message>
        <source>resource slices of %1</source>
        <translation>%1 的 ResourceSlice</translation>
    </message>
    <message>
        <source>resource claims of %1</source>
        <translation>%1 的 ResourceClaim</translation>
    </message>
    <message>
        <source>Prometheus of %1</source>
        <translation>%1 的 Prometheus</translation>
    </message>
    <message>
        <source>Ascend device information of %1</source>
        <translation>%1 的昇腾设备信息</translation>
    </message>
    <message>
        <source>.</source>
        <extracomment>The stop behind a sentence.</extracomment>
        <translation>。</translation>
    </message>
    <message>
        <source>Entry %1 of the fault plan cannot be used: %2.</source>
        <translation>故障计划的第 %1 项无法使用：%2。</translation>
    </message>
    <message>
        <source>Look whether it was done before you try again: the request may have arrived.</source>
        <translation>重试前先查看是否已生效：请求可能已送达。</translation>
    </message>
    <message>
        <source>The webhook %1 refuses the change and gives no reason.</source>
        <translation>webhook %1 拒绝此变更，且未说明原因。</translation>
    </message>
    <message>
        <source>The webhook %1 refuses the change: %2</source>
        <translation>webhook %1 拒绝此变更：%2</translation>
    </message>
    <message>
        <source>Change what it objects to, or ask whoever runs this rule.</source>
        <translation>修改其指出的内容，或向该规则的管理者询问。</translation>
    </message>
    <message>
        <source>The policy %1 refuses the change and gives no reason.</source>
        <translation>策略 %1 拒绝此变更，且未说明原因。</translation>
    </message>
    <message>
        <source>The policy %1 refuses the change: %2</source>
        <translation>策略 %1 拒绝此变更：%2</translation>
    </message>
    <message>
        <source>The change cannot be tried out first: the webhook %1 takes no dry runs.</source>
        <translation>无法先试运行此变更：webhook %1 不接受试运行。</translation>
    </message>
    <message>
        <source>Ask whoever runs this webhook to let dry runs pass.</source>
        <translation>请该 webhook 的管理者放行试运行。</translation>
    </message>
    <message>
        <source>%2 has to check this change (webhook %1), but gives no answer. Nothing was changed.</source>
        <translation>此变更须经 %2 检查 (webhook %1)，但它没有响应。未作任何更改。</translation>
    </message>
    <message>
        <source>Bring %2 back, then try again.</source>
        <translation>恢复 %2，然后重试。</translation>
    </message>
    <message>
        <source>The server does not allow it: %1</source>
        <translation>服务器不允许此操作：%1</translation>
    </message>
    <message>
        <source>The server was given no credential, and without one nobody may %1 %2.</source>
        <translation>请求未带凭据，而没有凭据不能对 %2 执行 %1。</translation>
    </message>
    <message>
        <source>Give this context a user with a credential in the kubeconfig.</source>
        <translation>在 kubeconfig 中为此上下文指定带凭据的用户。</translation>
    </message>
    <message>
        <source>The user %4 has no right to %1 %2.</source>
        <translation>用户 %4 无权对 %2 执行 %1。</translation>
    </message>
    <message>
        <source>The user %4 has no right to %1 %2 in the namespace %3.</source>
        <translation>用户 %4 无权在命名空间 %3 中对 %2 执行 %1。</translation>
    </message>
    <message>
        <source>There is one of this name already: %1</source>
        <translation>已有同名对象：%1</translation>
    </message>
    <message>
        <source>Take another name, or change the one that is there.</source>
        <translation>换一个名称，或修改已有的对象。</translation>
    </message>
    <message>
        <source>The server does not know a part of what was sent: %1</source>
        <translation>服务器不认识所发送内容中的一部分：%1</translation>
    </message>
    <message>
        <source>The server, or the add-on that this belongs to, is of another version than the console expects; compare their versions.</source>
        <translation>服务器或相应组件的版本与控制台预期的不同，核对二者的版本。</translation>
    </message>
    <message>
        <source>The server refuses the request: %1</source>
        <translation>服务器拒绝此请求：%1</translation>
    </message>
    <message>
        <source>The server did not finish this in time.</source>
        <translation>服务器未能及时完成此操作。</translation>
    </message>
    <message>
        <source>Look whether it was done before you try again; if this lasts, look at the load of the server and of its store (etcd).</source>
        <translation>重试前先查看是否已生效；如仍如此，检查服务器及其存储 (etcd) 的负载。</translation>
    </message>
    <message>
        <source>The server cannot serve this at the moment: %1</source>
        <translation>服务器暂时无法处理此请求：%1</translation>
    </message>
    <message>
        <source>Try again a little later; if this lasts, look whether the add-on that answers here is running.</source>
        <translation>稍后重试；如仍如此，检查提供此 API 的组件是否在运行。</translation>
    </message>
    <message>
        <source>The server failed: %1</source>
        <translation>服务器出错：%1</translation>
    </message>
    <message>
        <source>Try again; if this lasts, look at the log of the API server, or of the add-on that answers here.</source>
        <translation>重试；如仍如此，查看 API 服务器或提供此 API 的组件的日志。</translation>
    </message>
    <message>
        <source>The server serves nothing at this address.</source>
        <translation>服务器在此地址没有提供任何内容。</translation>
    </message>
    <message>
        <source>The cluster may not have this API; otherwise check the server address and its path.</source>
        <translation>集群可能没有此 API；否则检查服务器地址及其路径。</translation>
    </message>
    <message>
        <source>Not found on the server: %1</source>
        <translation>服务器上找不到：%1</translation>
    </message>
    <message>
        <source>It may have been deleted; check its name and its namespace.</source>
        <translation>可能已被删除；检查其名称和命名空间。</translation>
    </message>
    <message>
        <source>The server does not accept the credential: it is wrong, or it has expired.</source>
        <translation>服务器不接受该凭据：凭据有误或已过期。</translation>
    </message>
    <message>
        <source>The server no longer keeps the version that was asked for.</source>
        <translation>服务器已不再保留所请求的版本。</translation>
    </message>
    <message>
        <source>Refresh, to read the present one.</source>
        <translation>刷新以读取当前版本。</translation>
    </message>
    <message>
        <source>The server does not support this request: %1</source>
        <translation>服务器不支持此请求：%1</translation>
    </message>
    <message>
        <source>It may be older than the console expects; test the connection to see its version.</source>
        <translation>其版本可能低于控制台的预期；测试连接以查看其版本。</translation>
    </message>
    <message>
        <source>The server has too many requests at the moment.</source>
        <translation>服务器当前的请求过多。</translation>
    </message>
    <message>
        <source>Try again a little later.</source>
        <translation>稍后重试。</translation>
    </message>
    <message>
        <source>The request is larger than the server takes.</source>
        <translation>请求超出服务器接受的大小。</translation>
    </message>
    <message>
        <source>Shorten what is sent, or split it into parts.</source>
        <translation>减少发送的内容，或分成几次发送。</translation>
    </message>
    <message>
        <source>The pod may not be evicted at the moment: %1</source>
        <translation>目前不能驱逐该 Pod：%1</translation>
    </message>
    <message>
        <source>Wait until more of its pods are ready, or have its owner change the budget.</source>
        <translation>等待更多同类 Pod 就绪，或让其归属方调整 PodDisruptionBudget。</translation>
    </message>
    <message>
        <source>Look for a proxy, a load balancer or a login page between here and the server.</source>
        <translation>检查本机与服务器之间是否有代理、负载均衡或登录页。</translation>
    </message>
    <message>
        <source>It is tried again by itself; if this lasts, the server may be of a version that the console does not know.</source>
        <translation>稍后自动重试；如仍如此，服务器的版本可能不受控制台支持。</translation>
    </message>
    <message>
        <source>The value of %1 is not accepted: %2</source>
        <translation>参数 %1 的值不被接受：%2</translation>
    </message>
    <message>
        <source>Choose another time range.</source>
        <translation>选择其他时间范围。</translation>
    </message>
    <message>
        <source>Correct this value, then ask again.</source>
        <translation>更正该值后重新查询。</translation>
    </message>
    <message>
        <source>The query cannot be read: %1</source>
        <translation>无法解析查询：%1</translation>
    </message>
    <message>
        <source>Correct the query; the numbers are the line and the column.</source>
        <translation>更正查询；数字为行号和列号。</translation>
    </message>
    <message>
        <source>The time range has too many points: %1</source>
        <translation>该时间范围的点数过多：%1</translation>
    </message>
    <message>
        <source>Choose a shorter time range or a longer step.</source>
        <translation>缩短时间范围，或加大步长。</translation>
    </message>
    <message>
        <source>The query reads more samples than the server allows.</source>
        <translation>查询读取的样本数超出服务器的上限。</translation>
    </message>
    <message>
        <source>Ask for a shorter time or fewer series, or raise --query.max-samples of this Prometheus.</source>
        <translation>缩短时间范围或减少序列，或调大此 Prometheus 的 --query.max-samples。</translation>
    </message>
    <message>
        <source>The query was given up at the server&apos;s time limit.</source>
        <translation>查询超过服务器的时限，已被放弃。</translation>
    </message>
    <message>
        <source>Ask for a shorter time or fewer series; if this lasts, look at the load of Prometheus.</source>
        <translation>缩短时间范围或减少序列；如仍如此，检查 Prometheus 的负载。</translation>
    </message>
    <message>
        <source>The query cannot be computed: %1</source>
        <translation>无法计算查询：%1</translation>
    </message>
    <message>
        <source>The query is well-formed, but it does not fit the series that are there; change it.</source>
        <translation>查询语法正确，但与现有序列不符，修改查询。</translation>
    </message>
    <message>
        <source>The query failed: %1</source>
        <translation>查询失败：%1</translation>
    </message>
    <message>
        <source>Try again; if this lasts, look at the log of Prometheus.</source>
        <translation>重试；如仍如此，查看 Prometheus 的日志。</translation>
    </message>
    <message>
        <source>This user may not go through the API server to Prometheus: %1</source>
        <translation>此用户无权经由 API 服务器访问 Prometheus：%1</translation>
    </message>
    <message>
        <source>Ask the cluster&apos;s administrator for get and create on services/proxy, or give the address of Prometheus in the connection&apos;s settings.</source>
        <translation>向集群管理员申请对 services/proxy 的 get 和 create 权限，或在连接设置中填写 Prometheus 的地址。</translation>
    </message>
    <message>
        <source>The service of Prometheus is not in the cluster: %1</source>
        <translation>集群中没有 Prometheus 的服务：%1</translation>
    </message>
    <message>
        <source>See that the service has a pod that is ready.</source>
        <translation>检查该服务是否有就绪的 Pod。</translation>
    </message>
    <message>
        <source>A credential is asked for (HTTP %1).</source>
        <translation>需要凭据 (HTTP %1)。</translation>
    </message>
    <message>
        <source>The console has none for it: give an address that needs none, or none at all to go through the API server.</source>
        <translation>控制台没有对应的凭据：填写无需凭据的地址，或留空以经由 API 服务器访问。</translation>
    </message>
    <message>
        <source>Nothing of Prometheus is served at this address (HTTP %1).</source>
        <translation>此地址没有 Prometheus 的内容 (HTTP %1)。</translation>
    </message>
    <message>
        <source>Prometheus is not ready to answer (HTTP %1).</source>
        <translation>Prometheus 尚未就绪 (HTTP %1)。</translation>
    </message>
    <message>
        <source>It may be starting, which takes minutes with much data; if this lasts, look at it and at the proxy in front of it.</source>
        <translation>可能正在启动，数据多时需要几分钟；如仍如此，检查它及其前面的代理。</translation>
    </message>
    <message>
        <source>Prometheus answered with HTTP status %1: %2</source>
        <translation>Prometheus 返回 HTTP 状态 %1：%2</translation>
    </message>
    <message>
        <source>The answer of %1 was damaged on its way.</source>
        <translation>%1 的应答在传输途中被损坏。</translation>
    </message>
    <message>
        <source>Try again; if it stays so, look for a proxy that changes answers.</source>
        <translation>请重试；如果仍然如此，请检查是否有会改动应答的代理。</translation>
    </message>
    <message>
        <source>Something in the answer was damaged on its way.</source>
        <translation>应答中的部分内容在传输途中被损坏。</translation>
    </message>
    <message>
        <source>It needs at_seconds, a number that is not negative, and fault, one of: %3; it may have cluster and seconds, delay also delay_seconds, drip bytes_per_second, cut and reset after_bytes.</source>
        <translation>需要 at_seconds（非负数）和 fault（其中之一：%3）；可以有 cluster 和 seconds，delay 还可以有 delay_seconds，drip 可以有 bytes_per_second，cut 和 reset 可以有 after_bytes。</translation>
    </message>
    <message>
        <source>The fault plan names a cluster that the pool does not have: %1.</source>
        <translation>故障计划中的集群不在该资源池中：%1。</translation>
    </message>
    <message>
        <source>Choose one of: %2; or leave cluster out for all.</source>
        <translation>请选择其中之一：%2；省略 cluster 则表示全部。</translation>
    </message>
</context>
<context>
    <name>Formatting</name>
    <message>
        <source>%1 s</source>
        <comment>age in a narrow column, seconds</comment>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 min</source>
        <comment>age in a narrow column, minutes</comment>
        <translation>%1 分</translation>
    </message>
    <message>
        <source>%1 h</source>
        <comment>age in a narrow column, hours</comment>
        <translation>%1 时</translation>
    </message>
    <message>
        <source>%1 d</source>
        <comment>age in a narrow column, days</comment>
        <translation>%1 天</translation>
    </message>
    <message>
        <source>%1 s</source>
        <comment>duration in a sentence</comment>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 min %2 s</source>
        <comment>duration in a sentence</comment>
        <translation>%1 分 %2 秒</translation>
    </message>
    <message>
        <source>%1 min</source>
        <comment>duration in a sentence</comment>
        <translation>%1 分</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <comment>duration in a sentence</comment>
        <translation>%1 时 %2 分</translation>
    </message>
    <message>
        <source>%1 d</source>
        <comment>duration in a sentence</comment>
        <translation>%1 天</translation>
    </message>
    <message>
        <source>, </source>
        <extracomment>Stands between the names of a list.</extracomment>
        <translation>、</translation>
    </message>
    <message>
        <source>: </source>
        <comment>behind the name of an exporter</comment>
        <extracomment>Between two series of which the first that is there counts.</extracomment>
        <translation>：</translation>
    </message>
    <message>
        <source>, else </source>
        <translation>，否则：</translation>
    </message>
</context>
<context>
    <name>Help</name>
    <message>
        <source>the console</source>
        <translation>控制台</translation>
    </message>
    <message>
        <source>every card of the connected clusters</source>
        <translation>所连集群的每张算力卡</translation>
    </message>
    <message>
        <source>the embedded pool: simulated clusters on loopback</source>
        <translation>演示资源池：本机回环上的模拟集群</translation>
    </message>
    <message>
        <source>one pane as a picture when its data has arrived</source>
        <translation>数据到齐后将一个面板存为图片</translation>
    </message>
    <message>
        <source>this text, or what one verb takes</source>
        <translation>显示此说明，或某个子命令的用法</translation>
    </message>
    <message>
        <source>which version this is</source>
        <translation>显示版本</translation>
    </message>
    <message>
        <source>Panes: %1. The path of the picture is printed.</source>
        <extracomment>%1 are the names of panes.</extracomment>
        <translation>面板：%1。完成后输出图片的路径。</translation>
    </message>
    <message>
        <source>Which clusters, which cards</source>
        <translation>选择集群与算力卡</translation>
    </message>
    <message>
        <source>inventory</source>
        <translation>inventory 专用</translation>
    </message>
    <message>
        <source>pool serve, and the pool of --embedded</source>
        <translation>pool serve，以及 --embedded 的资源池</translation>
    </message>
    <message>
        <source>screenshot; --theme and --density also the console</source>
        <translation>screenshot；--theme 与 --density 也用于控制台</translation>
    </message>
    <message>
        <source>Common</source>
        <translation>通用</translation>
    </message>
    <message>
        <source>tongchi - console for heterogeneous accelerator pools</source>
        <translation>tongchi - 异构算力资源池控制台</translation>
    </message>
    <message>
        <source>Results go to standard output, messages to standard error.</source>
        <translation>结果写到标准输出，消息写到标准错误。</translation>
    </message>
    <message>
        <source>Exit codes: 0 done, 1 failed, 2 usage, 3 a cluster or a source did not answer.</source>
        <translation>退出码：0 完成，1 失败，2 用法有误，3 有集群或数据源未响应。</translation>
    </message>
    <message>
        <source>repeatable; else KUBECONFIG, then ~/.kube/config</source>
        <translation>可重复；缺省为 KUBECONFIG，其次 ~/.kube/config</translation>
    </message>
    <message>
        <source>repeatable; else the current context</source>
        <translation>可重复；缺省为当前上下文</translation>
    </message>
    <message>
        <source>every context of the files</source>
        <translation>文件中的全部上下文</translation>
    </message>
    <message>
        <source>the embedded pool, started in this process</source>
        <translation>在本进程中启动的演示资源池</translation>
    </message>
    <message>
        <source>repeatable; where the API server&apos;s service proxy is not the way</source>
        <translation>可重复；不经 API 服务器的服务代理访问时使用</translation>
    </message>
    <message>
        <source>run the kubeconfig&apos;s credential plug-ins without asking</source>
        <translation>不询问即运行 kubeconfig 中的凭据插件</translation>
    </message>
    <message>
        <source>as in the pane: &apos;vendor:ascend util&lt;20 -label:idle&apos;</source>
        <translation>与面板中相同：&apos;vendor:ascend util&lt;20 -label:idle&apos;</translation>
    </message>
    <message>
        <source>also -o; default table</source>
        <translation>也可写作 -o；缺省 table</translation>
    </message>
    <message>
        <source>go on and print what changes</source>
        <translation>持续运行并输出变化</translation>
    </message>
    <message>
        <source>how long inventory and screenshot wait; default 60</source>
        <translation>inventory 与 screenshot 等待响应的时间；缺省 60</translation>
    </message>
    <message>
        <source>1 to 200000; default 7500</source>
        <translation>1 到 200000；缺省 7500</translation>
    </message>
    <message>
        <source>1 to 16; default 3</source>
        <translation>1 到 16；缺省 3</translation>
    </message>
    <message>
        <source>another number makes another pool; default 1</source>
        <translation>不同的数生成不同的资源池；缺省 1</translation>
    </message>
    <message>
        <source>how fast the pool&apos;s clock runs, 0.001 to 86400; default 1</source>
        <translation>资源池时钟的快慢，0.001 到 86400；缺省 1</translation>
    </message>
    <message>
        <source>first port, 1 to 65535; default 0, any free one</source>
        <translation>首个端口，1 到 65535；缺省 0，任取空闲端口</translation>
    </message>
    <message>
        <source>things that go wrong on purpose</source>
        <translation>预设的故障</translation>
    </message>
    <message>
        <source>pool serve alone: one context a cluster, mode 0600</source>
        <translation>仅 pool serve：每个集群一个上下文，权限 0600</translation>
    </message>
    <message>
        <source>of the window, 1120x700 to 10000x10000; default 1440x900</source>
        <translation>窗口大小，1120x700 到 10000x10000；缺省 1440x900</translation>
    </message>
    <message>
        <source>pixels of the picture for one of the window, 0.5 to 4; default 1</source>
        <translation>窗口一个像素对应的图片像素，0.5 到 4；缺省 1</translation>
    </message>
    <message>
        <source>so many rows are selected, 0 to 1000; default 0</source>
        <translation>选中的行数，0 到 1000；缺省 0</translation>
    </message>
    <message>
        <source>with the drawer of the first card</source>
        <translation>打开第一张算力卡的抽屉</translation>
    </message>
    <message>
        <source>default: as last chosen, else the system&apos;s</source>
        <translation>缺省为上次所选，其次跟随系统</translation>
    </message>
    <message>
        <source>height of the rows</source>
        <translation>行高</translation>
    </message>
    <message>
        <source>else that of the locale (LC_ALL, LC_MESSAGES, LANG)</source>
        <translation>缺省取自区域设置（LC_ALL、LC_MESSAGES、LANG）</translation>
    </message>
</context>
<context>
    <name>Inventory</name>
    <message>
        <source>Card</source>
        <extracomment>Column of the card table: model of the card.</extracomment>
        <translation>型号</translation>
    </message>
    <message>
        <source>Node / slot</source>
        <translation>节点 / 槽位</translation>
    </message>
    <message>
        <source>Region</source>
        <translation>区域</translation>
    </message>
    <message>
        <source>Label</source>
        <extracomment>Column: business label.</extracomment>
        <translation>标签</translation>
    </message>
    <message>
        <source>Utilisation</source>
        <translation>利用率</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>显存</translation>
    </message>
    <message>
        <source>Temp</source>
        <extracomment>Column, narrow: temperature.</extracomment>
        <translation>温度</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>功耗</translation>
    </message>
    <message>
        <source>Health</source>
        <translation>健康</translation>
    </message>
    <message>
        <source>Workload</source>
        <translation>负载</translation>
    </message>
    <message>
        <source>Age</source>
        <extracomment>Column, narrow: age of the newest sample.</extracomment>
        <translation>时延</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>集群</translation>
    </message>
    <message>
        <source>Variant</source>
        <extracomment>Column: variant of the model, such as 910B3.</extracomment>
        <translation>子型号</translation>
    </message>
    <message>
        <source>Vendor</source>
        <translation>厂商</translation>
    </message>
    <message>
        <source>UUID</source>
        <translation>UUID</translation>
    </message>
    <message>
        <source>Shares</source>
        <extracomment>Column: how many tasks may share the card.</extracomment>
        <translation>份额</translation>
    </message>
    <message>
        <source>Slices</source>
        <extracomment>Column: MIG, vNPU or sMLU slices of the card.</extracomment>
        <translation>切片</translation>
    </message>
    <message>
        <source>NUMA</source>
        <translation>NUMA</translation>
    </message>
    <message>
        <source>Driver</source>
        <translation>驱动</translation>
    </message>
    <message>
        <source>not reported</source>
        <translation>未上报</translation>
    </message>
    <message>
        <source>No sample has ever arrived for this card.</source>
        <translation>此卡从未有样本到达。</translation>
    </message>
    <message>
        <source>Sampled %1 ago.</source>
        <translation>距上次采样：%1。</translation>
    </message>
    <message>
        <source>Last known: %1</source>
        <translation>最后已知：%1</translation>
    </message>
    <message>
        <source>Written, not confirmed by the cluster yet.</source>
        <translation>已写入，尚未得到集群确认。</translation>
    </message>
    <message>
        <source>%1 %2, %3 old</source>
        <extracomment>For a screen reader: column, value, age. &quot;Utilisation 62%, 2 s old&quot;</extracomment>
        <translation>%1 %2，时延 %3</translation>
    </message>
    <message>
        <source>Offline</source>
        <extracomment>Health of a card: its node is not ready or silent.</extracomment>
        <translation>离线</translation>
    </message>
    <message>
        <source>Fault</source>
        <extracomment>Health of a card: a source calls it unhealthy.</extracomment>
        <translation>故障</translation>
    </message>
    <message>
        <source>Out of service</source>
        <extracomment>Health of a card: taken out of service by hand.</extracomment>
        <translation>停用</translation>
    </message>
    <message>
        <source>Hot</source>
        <extracomment>Health of a card: temperature close to throttling.</extracomment>
        <translation>过热</translation>
    </message>
    <message>
        <source>Cordoned</source>
        <extracomment>Health of a card: its node takes no new work.
----------
State of a node.</extracomment>
        <translation>已封锁</translation>
    </message>
    <message>
        <source>Tainted</source>
        <extracomment>Health of a card: a taint keeps work off its node.
----------
State of a node: a taint keeps work off it.</extracomment>
        <translation>有污点</translation>
    </message>
    <message>
        <source>Healthy</source>
        <extracomment>Health of a card.</extracomment>
        <translation>健康</translation>
    </message>
    <message>
        <source>Not reported</source>
        <extracomment>Health of a card: no source says anything.</extracomment>
        <translation>未上报</translation>
    </message>
    <message>
        <source>Idle</source>
        <extracomment>Business label: nothing runs on the card.</extracomment>
        <translation>空闲</translation>
    </message>
    <message>
        <source>Inference</source>
        <extracomment>Business label.</extracomment>
        <translation>推理</translation>
    </message>
    <message>
        <source>Training</source>
        <extracomment>Business label.</extracomment>
        <translation>训练</translation>
    </message>
    <message>
        <source>Mixed</source>
        <extracomment>Business label: inference and training on one card.</extracomment>
        <translation>混合</translation>
    </message>
    <message>
        <source>Ascend</source>
        <extracomment>Vendor of accelerator cards (Huawei Ascend).</extracomment>
        <translation>昇腾</translation>
    </message>
    <message>
        <source>Cambricon</source>
        <extracomment>Vendor of accelerator cards.</extracomment>
        <translation>寒武纪</translation>
    </message>
    <message>
        <source>Usable</source>
        <extracomment>State of a node: new work may be placed on it.</extracomment>
        <translation>可用</translation>
    </message>
    <message>
        <source>Not ready</source>
        <extracomment>State of a node: Kubernetes condition Ready is False.</extracomment>
        <translation>未就绪</translation>
    </message>
    <message>
        <source>No contact</source>
        <extracomment>State of a node: Kubernetes condition Ready is Unknown.</extracomment>
        <translation>失联</translation>
    </message>
    <message>
        <source>Another node reports a card with the same UUID.</source>
        <translation>另一个节点上报了相同 UUID 的卡。</translation>
    </message>
    <message>
        <source>It runs another kind of work than its node is kept for.</source>
        <translation>其运行的负载类型与节点的业务标签不同。</translation>
    </message>
    <message>
        <source>Pods hold more cards of this node than it offers.</source>
        <translation>Pod 占用的卡数超过此节点提供的卡数。</translation>
    </message>
    <message>
        <source>The device plugin of this node offers fewer cards than the node has.</source>
        <translation>此节点的设备插件提供的卡数少于节点实有卡数。</translation>
    </message>
    <message>
        <source>The HAMi registration is left over: its device plugin no longer answers.</source>
        <translation>HAMi 注册信息已失效：其设备插件不再响应。</translation>
    </message>
    <message>
        <source>A HAMi registration entry could not be read.</source>
        <translation>有一条 HAMi 注册信息无法读取。</translation>
    </message>
    <message>
        <source>Only an over-subscribed memory figure is known, so its own memory is not shown.</source>
        <translation>仅知超分后的显存，因此不显示其自身显存。</translation>
    </message>
    <message>
        <source>Two exporters report this card; the freshest value is shown.</source>
        <translation>两个 exporter 上报此卡，显示最新的值。</translation>
    </message>
    <message>
        <source>The sources name different models.</source>
        <translation>各来源给出的型号不同。</translation>
    </message>
    <message>
        <source>The sources name different memory sizes.</source>
        <translation>各来源给出的显存大小不同。</translation>
    </message>
    <message>
        <source>Kubernetes lends this card while another source calls it faulty.</source>
        <translation>Kubernetes 仍在分配此卡，而另一来源称其有故障。</translation>
    </message>
    <message>
        <source>A taint stands on this device.</source>
        <translation>此设备上有污点。</translation>
    </message>
    <message>
        <source>This card was taken out of service by hand.</source>
        <translation>此卡已被人工停用。</translation>
    </message>
    <message>
        <source>The number of cards of this node could not be read.</source>
        <translation>无法读取此节点的卡数。</translation>
    </message>
    <message>
        <source>The driver has reported an error since it started; it may be long past.</source>
        <translation>驱动启动后曾上报错误，可能早已过去。</translation>
    </message>
    <message>
        <source>The clock of its metrics source differs from this machine&apos;s by 30 s or more.</source>
        <translation>其指标来源的时钟与本机相差 30 秒或以上。</translation>
    </message>
    <message>
        <source>Beijing</source>
        <translation>北京</translation>
    </message>
    <message>
        <source>Ulanqab</source>
        <translation>乌兰察布</translation>
    </message>
    <message>
        <source>Guiyang</source>
        <translation>贵阳</translation>
    </message>
    <message>
        <source>Shenzhen</source>
        <translation>深圳</translation>
    </message>
    <message>
        <source>Reported model</source>
        <translation>上报型号</translation>
    </message>
    <message>
        <source>Own memory</source>
        <translation>自身显存</translation>
    </message>
    <message>
        <source>Health reason</source>
        <translation>健康原因</translation>
    </message>
    <message>
        <source>Resource</source>
        <translation>资源</translation>
    </message>
    <message>
        <source>Interconnect</source>
        <translation>互联</translation>
    </message>
    <message>
        <source>Node state</source>
        <translation>节点状态</translation>
    </message>
    <message>
        <source>Node is kept for</source>
        <translation>节点的业务标签</translation>
    </message>
    <message>
        <source>Zone</source>
        <translation>可用区</translation>
    </message>
    <message>
        <source>Kubelet</source>
        <translation>Kubelet</translation>
    </message>
    <message numerus="yes">
        <source>%n card(s)</source>
        <comment>on one node</comment>
        <translation>
            <numerusform>%n 卡</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n withdrawn</source>
        <comment>cards that the node does not offer</comment>
        <translation>
            <numerusform>%n 未提供</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n held</source>
        <comment>cards held by pods</comment>
        <translation>
            <numerusform>%n 已占用</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n free</source>
        <comment>cards that may be taken</comment>
        <translation>
            <numerusform>%n 空闲</numerusform>
        </translation>
    </message>
    <message>
        <source>Model</source>
        <translation>型号</translation>
    </message>
    <message>
        <source>Business label</source>
        <translation>业务标签</translation>
    </message>
    <message>
        <source>Not known</source>
        <extracomment>Facet value: no source says what runs on the card.</extracomment>
        <translation>未知</translation>
    </message>
    <message>
        <source>condition Ready of the node</source>
        <translation>节点的 Ready 状况</translation>
    </message>
    <message>
        <source>taint of the node</source>
        <translation>节点的污点</translation>
    </message>
    <message>
        <source>its temperature</source>
        <translation>该卡的温度</translation>
    </message>
</context>
<context>
    <name>PaneNotice</name>
    <message>
        <source>You may not list nodes in %1.</source>
        <translation>你无权列出 %1 的节点。</translation>
    </message>
    <message>
        <source>An administrator can grant it with the rule that the button copies.</source>
        <translation>管理员可用按钮复制的规则授予该权限。</translation>
    </message>
    <message>
        <source>Copy the RBAC rule</source>
        <translation>复制 RBAC 规则</translation>
    </message>
    <message>
        <source>The Kubernetes API of %1 does not answer.</source>
        <translation>%1 的 Kubernetes API 未响应。</translation>
    </message>
    <message>
        <source>Try again now</source>
        <translation>立即重试</translation>
    </message>
    <message>
        <source>%1 of %2 clusters did not answer. The %3 cards of %4 are shown as last seen.</source>
        <translation>%2 个集群中 %1 个未响应，%4 的 %3 张卡显示最后已知状态。</translation>
    </message>
    <message>
        <source>%1 of %2 clusters did not answer. The cards of %3 are missing.</source>
        <translation>%2 个集群中 %1 个未响应，缺少 %3 的卡。</translation>
    </message>
    <message>
        <source>Retry in %1</source>
        <translation>重试倒计时：%1</translation>
    </message>
    <message>
        <source>Prometheus of %1 has been silent for %2. Values are from %3; actions still work.</source>
        <translation>%1 的 Prometheus 无数据已持续 %2，显示的是 %3 的值；操作仍可用。</translation>
    </message>
    <message>
        <source>Prometheus of %1 has not answered. Cards are shown without measured values; actions still work.</source>
        <translation>%1 的 Prometheus 未响应。显示的卡没有测量值；操作仍可用。</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Reading %1 nodes, %2 done</source>
        <translation>正在读取 %1 个节点，已完成 %2</translation>
    </message>
    <message>
        <source>Reading nodes, %1 done</source>
        <translation>正在读取节点，已完成 %1</translation>
    </message>
    <message>
        <source>You may not list %1 in %2: what they would tell is missing here.</source>
        <translation>你无权列出 %2 的 %1：此处缺少它们所含的信息。</translation>
    </message>
</context>
<context>
    <name>SelectionBar</name>
    <message>
        <source>Remove the label</source>
        <translation>移除标签</translation>
    </message>
</context>
<context>
    <name>SourceText</name>
    <message>
        <source>model of the chip</source>
        <extracomment>Where a value comes from.</extracomment>
        <translation>芯片型号</translation>
    </message>
    <message>
        <source>name of the resource</source>
        <extracomment>Where a value comes from.</extracomment>
        <translation>资源名称</translation>
    </message>
    <message>
        <source>label %1</source>
        <extracomment>Where a value comes from: a label of the node.</extracomment>
        <translation>标签 %1</translation>
    </message>
    <message>
        <source>network %1</source>
        <extracomment>Cards that are connected with one another: number of their network.</extracomment>
        <translation>网络 %1</translation>
    </message>
    <message>
        <source>super node %1</source>
        <extracomment>Ascend: several servers with one interconnect.</extracomment>
        <translation>超节点 %1</translation>
    </message>
    <message>
        <source>HAMi reports the card unhealthy</source>
        <translation>HAMi 报告该卡不健康</translation>
    </message>
    <message>
        <source>the kubelet reports the device unhealthy</source>
        <translation>kubelet 报告该设备不健康</translation>
    </message>
    <message>
        <source>the device plug-in reports the card unhealthy</source>
        <translation>设备插件报告该卡不健康</translation>
    </message>
    <message>
        <source>the device plug-in reports the card&apos;s network unhealthy</source>
        <translation>设备插件报告该卡的网络不健康</translation>
    </message>
    <message>
        <source>the node reports no state</source>
        <translation>节点未上报状态</translation>
    </message>
    <message>
        <source>registration could not be read: %1: %2</source>
        <translation>无法读取注册信息：%1：%2</translation>
    </message>
    <message>
        <source>only %1 of %2 cards are shown</source>
        <translation>仅显示 %2 张卡中的 %1 张</translation>
    </message>
    <message>
        <source>%1: the allocatable amount &quot;%2&quot; cannot be read</source>
        <translation>%1：无法读取可分配数量“%2”</translation>
    </message>
    <message>
        <source>%1: the amount &quot;%2&quot; cannot be read</source>
        <translation>%1：无法读取数量“%2”</translation>
    </message>
    <message>
        <source>%1: %2 are too many to be cards</source>
        <translation>%1：%2 过多，不可能是卡数</translation>
    </message>
    <message>
        <source>%1: only shares are reported, not how many cards there are</source>
        <translation>%1：只上报了份额，没有上报卡数</translation>
    </message>
    <message>
        <source>; </source>
        <extracomment>Stands between two remarks.</extracomment>
        <translation>；</translation>
    </message>
    <message>
        <source>no Ready condition</source>
        <extracomment>Why a node counts as silent: &quot;Ready&quot; is Kubernetes&apos; name of the condition.</extracomment>
        <translation>没有 Ready 状况</translation>
    </message>
</context>
<context>
    <name>StatusLine</name>
    <message>
        <source>live</source>
        <translation>实时</translation>
    </message>
    <message>
        <source>not there</source>
        <translation>不存在</translation>
    </message>
    <message>
        <source>not asked</source>
        <translation>未查询</translation>
    </message>
    <message>
        <source>connecting</source>
        <translation>正在连接</translation>
    </message>
    <message>
        <source>late</source>
        <translation>滞后</translation>
    </message>
    <message>
        <source>no answer</source>
        <translation>未响应</translation>
    </message>
    <message>
        <source>not permitted</source>
        <translation>无权限</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation>未连接</translation>
    </message>
    <message numerus="yes">
        <source>%n cluster(s)</source>
        <translation>
            <numerusform>%n 个集群</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SummaryFigures</name>
    <message>
        <source>%1 of %2 cards reported</source>
        <extracomment>How many cards a mean or a sum rests on.</extracomment>
        <translation>%2 张卡中 %1 张已上报</translation>
    </message>
    <message>
        <source>Cards available</source>
        <translation>可用算力卡</translation>
    </message>
    <message>
        <source>Neither offline nor faulty. May take new work: %1</source>
        <translation>既未离线也无故障。可接新负载：%1</translation>
    </message>
    <message>
        <source>Mean utilisation</source>
        <translation>平均利用率</translation>
    </message>
    <message>
        <source>Memory in use</source>
        <translation>显存占用</translation>
    </message>
    <message>
        <source>Power draw</source>
        <translation>功耗</translation>
    </message>
    <message>
        <source>Idle now</source>
        <translation>当前空闲</translation>
    </message>
    <message>
        <source>No pod holds the card. Known for %1 of %2 cards</source>
        <translation>没有 Pod 占用该卡。占用情况已知：%1 / %2 张卡</translation>
    </message>
    <message>
        <source>Running workloads</source>
        <translation>运行负载</translation>
    </message>
    <message>
        <source>Fault / stale</source>
        <translation>故障 / 过期</translation>
    </message>
    <message>
        <source>Faulty: %1. Data older than 90 s: %2. Offline: %3. Hot: %4</source>
        <translation>故障：%1。数据超过 90 秒：%2。离线：%3。过热：%4</translation>
    </message>
</context>
<context>
    <name>Terminal</name>
    <message>
        <source>The data of the pane %1 did not arrive within the timeout.</source>
        <translation>面板 %1 的数据未在时限内到达。</translation>
    </message>
    <message>
        <source>Standard output cannot be written: %1.</source>
        <translation>无法写入标准输出：%1。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <extracomment>%1 is a cluster, %2 the sentence about it.</extracomment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>not there</source>
        <translation>不存在</translation>
    </message>
    <message>
        <source>not asked</source>
        <translation>未查询</translation>
    </message>
    <message>
        <source>connecting</source>
        <translation>正在连接</translation>
    </message>
    <message>
        <source>live</source>
        <translation>实时</translation>
    </message>
    <message>
        <source>late</source>
        <translation>滞后</translation>
    </message>
    <message>
        <source>lost</source>
        <translation>失联</translation>
    </message>
    <message>
        <source>not permitted</source>
        <translation>无权限</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>%1 says: %2</source>
        <extracomment>%1 is the name of a program, %2 what it wrote for the operator.</extracomment>
        <translation>%1 输出：%2</translation>
    </message>
    <message>
        <source>cluster %1, metrics %2. %3</source>
        <extracomment>The state of a cluster, the state of its metrics, and an error or nothing.</extracomment>
        <translation>集群%1，指标%2。%3</translation>
    </message>
    <message>
        <source>It did not answer in full.</source>
        <translation>未完整响应。</translation>
    </message>
    <message numerus="yes">
        <source>The simulated pool of %n card(s) is ready; end it with Ctrl+C.</source>
        <translation>
            <numerusform>演示资源池已就绪，共 %n 卡；按 Ctrl+C 结束。</numerusform>
        </translation>
    </message>
    <message>
        <source>Here, say --allow-exec.</source>
        <translation>在命令行中使用 --allow-exec。</translation>
    </message>
    <message>
        <source>%1 did not answer in full before the timeout. Check whether it is up and can be reached, or give it longer with --timeout.</source>
        <translation>%1 未在时限内完整响应。请检查其是否运行、能否访问，或用 --timeout 延长时限。</translation>
    </message>
    <message>
        <source>“%1” is no key of the filter, so “%2” was looked for as text.</source>
        <translation>“%1”不是筛选键，因此按文本查找了“%2”。</translation>
    </message>
</context>
<context>
    <name>tongchi::ActionSheet</name>
    <message numerus="yes">
        <source>Undo on %n node(s)</source>
        <translation>
            <numerusform>撤销 %n 个节点的变更</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Cordon %n node(s)</source>
        <translation>
            <numerusform>封锁 %n 个节点</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Uncordon %n node(s)</source>
        <translation>
            <numerusform>解除封锁 %n 个节点</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Remove the business label of %n node(s)</source>
        <translation>
            <numerusform>移除 %n 个节点的业务标签</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Label %n node(s) %1</source>
        <translation>
            <numerusform>为 %n 个节点打标签：%1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Label %n node(s)</source>
        <translation>
            <numerusform>为 %n 个节点打标签</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 cards chosen</source>
        <extracomment>One node of an action: how many cards it carries and how many of them were chosen.</extracomment>
        <translation>已选 %1 / %2 张卡</translation>
    </message>
    <message>
        <source>asking the server</source>
        <translation>正在询问服务器</translation>
    </message>
    <message>
        <source>is already so</source>
        <translation>已是如此</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>被拒绝</translation>
    </message>
    <message>
        <source>done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Asking the server what would change.</source>
        <translation>正在向服务器询问会发生哪些变更。</translation>
    </message>
    <message>
        <source>Nothing would change.</source>
        <translation>不会有任何变更。</translation>
    </message>
    <message numerus="yes">
        <source>%n node(s)</source>
        <translation>
            <numerusform>%n 个节点</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n card(s)</source>
        <translation>
            <numerusform>%n 张卡</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, %2; you chose %3</source>
        <extracomment>Cordon and labels act on whole nodes: &quot;2 nodes, 16 cards; you chose 12&quot;.</extracomment>
        <translation>%1，%2；已选 %3</translation>
    </message>
    <message>
        <source>Writing to the cluster.</source>
        <translation>正在写入集群。</translation>
    </message>
    <message>
        <source>Part of the change was not made. The reasons are below.</source>
        <translation>部分变更未完成，原因见下方。</translation>
    </message>
    <message>
        <source>No new work will be placed on these nodes; what runs on them goes on.</source>
        <translation>新负载不会再调度到这些节点；已在运行的继续运行。</translation>
    </message>
    <message>
        <source>New work may be placed on these nodes again.</source>
        <translation>新负载可再次调度到这些节点。</translation>
    </message>
    <message>
        <source>The label belongs to the node and says what it is kept for; what runs on its cards does not change.</source>
        <translation>标签属于节点，表示其用途；卡上正在运行的负载不变。</translation>
    </message>
    <message numerus="yes">
        <source>and %n more node(s)</source>
        <translation>
            <numerusform>另有 %n 个节点</numerusform>
        </translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>What will change</source>
        <translation>将发生的变更</translation>
    </message>
</context>
<context>
    <name>tongchi::CardDrawer</name>
    <message>
        <source>Card</source>
        <translation>算力卡</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>概览</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <source>Card views</source>
        <translation>算力卡视图</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>Properties</source>
        <translation>属性</translation>
    </message>
    <message>
        <source>Slices and shares</source>
        <translation>切片与份额</translation>
    </message>
    <message>
        <source>Pods</source>
        <translation>Pod</translation>
    </message>
    <message>
        <source>Same node</source>
        <translation>同一节点</translation>
    </message>
    <message>
        <source>Label</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>data age %1</source>
        <translation>数据时延 %1</translation>
    </message>
    <message>
        <source>Uncordon</source>
        <translation>解除封锁</translation>
    </message>
    <message>
        <source>Cordon</source>
        <translation>封锁</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>另有 %n 项</numerusform>
        </translation>
    </message>
    <message>
        <source>No pod holds this card.</source>
        <translation>没有 Pod 占用此卡。</translation>
    </message>
    <message>
        <source>Slot %1: %2</source>
        <extracomment>Another card of the same node: slot and utilisation.</extracomment>
        <translation>槽位 %1：%2</translation>
    </message>
    <message>
        <source>Utilisation</source>
        <translation>利用率</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>显存</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>hot above %1 °C</source>
        <extracomment>Dashed line in the temperature plot: above it a card is called hot.</extracomment>
        <translation>高于 %1 °C 为过热</translation>
    </message>
    <message>
        <source>Temperature is not exported for this card.</source>
        <translation>此卡未提供温度数据。</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>功耗</translation>
    </message>
    <message>
        <source>Power is not exported for this card.</source>
        <translation>此卡未提供功耗数据。</translation>
    </message>
    <message>
        <source>No history yet: no sample has arrived for this card.</source>
        <translation>暂无历史：此卡尚无样本到达。</translation>
    </message>
    <message>
        <source>Last sample %1, %2 ago</source>
        <translation>最近样本 %1（距今 %2）</translation>
    </message>
    <message>
        <source>Temperature and power are recorded since %1.</source>
        <translation>温度和功耗自 %1 起记录。</translation>
    </message>
    <message>
        <source>Temperature and power before %1 are being read.</source>
        <translation>正在读取 %1 之前的温度和功耗。</translation>
    </message>
</context>
<context>
    <name>tongchi::CommandPalette</name>
    <message>
        <source>Search cards, nodes, workloads, or run a command</source>
        <translation>搜索算力卡、节点、负载，或运行命令</translation>
    </message>
    <message>
        <source>↑ ↓ move   Enter run   Esc close        &gt; commands   @ nodes   # labels   ? help</source>
        <translation>↑ ↓ 移动   Enter 运行   Esc 关闭        &gt; 命令   @ 节点   # 标签   ? 帮助</translation>
    </message>
    <message>
        <source>On the selection</source>
        <translation>对所选项</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Nodes and cards</source>
        <translation>节点和算力卡</translation>
    </message>
    <message>
        <source>Workloads</source>
        <translation>负载</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Nothing fits</source>
        <translation>没有匹配项</translation>
    </message>
</context>
<context>
    <name>tongchi::ConnectionsController</name>
    <message>
        <source>Demo pool</source>
        <translation>演示资源池</translation>
    </message>
    <message>
        <source>runs inside this program</source>
        <translation>在本程序内运行</translation>
    </message>
    <message>
        <source>New connection</source>
        <translation>新连接</translation>
    </message>
    <message>
        <source>Proxy %1, from %2</source>
        <extracomment>%1 is a proxy&apos;s address, %2 where the setting came from.</extracomment>
        <translation>代理 %1，来自 %2</translation>
    </message>
    <message>
        <source>No kubeconfig found. Choose a file, or start the demo pool.</source>
        <translation>未找到 kubeconfig。请选择文件，或启动演示资源池。</translation>
    </message>
    <message>
        <source>Kubernetes API</source>
        <translation>Kubernetes API</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Engines</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>Permission</source>
        <translation>权限</translation>
    </message>
    <message>
        <source>Prometheus</source>
        <translation>Prometheus</translation>
    </message>
    <message numerus="yes">
        <source>%n node(s)</source>
        <translation>
            <numerusform>%n 个节点</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n ResourceSlice(s)</source>
        <translation>
            <numerusform>%n 个 ResourceSlice</numerusform>
        </translation>
    </message>
    <message>
        <source>No Kueue, KEDA, Volcano or DRA</source>
        <translation>没有 Kueue、KEDA、Volcano 或 DRA</translation>
    </message>
    <message>
        <source>did not answer: %1</source>
        <translation>未响应：%1</translation>
    </message>
    <message>
        <source>You are %1.</source>
        <translation>当前用户为 %1。</translation>
    </message>
    <message>
        <source>May read, label and cordon.</source>
        <translation>可读取、打标签和封锁。</translation>
    </message>
    <message>
        <source>May not: %1.</source>
        <translation>不可：%1。</translation>
    </message>
    <message>
        <source>Copy the RBAC rule</source>
        <translation>复制 RBAC 规则</translation>
    </message>
    <message numerus="yes">
        <source>Its clock is %n s ahead of this machine&apos;s.</source>
        <translation>
            <numerusform>其时钟比本机快 %n 秒。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Its clock is %n s behind this machine&apos;s.</source>
        <translation>
            <numerusform>其时钟比本机慢 %n 秒。</numerusform>
        </translation>
    </message>
    <message>
        <source>Disconnect</source>
        <translation>断开连接</translation>
    </message>
    <message>
        <source>Start demo</source>
        <translation>启动演示</translation>
    </message>
    <message>
        <source>Connect without Prometheus</source>
        <translation>不使用 Prometheus 连接</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>连接</translation>
    </message>
    <message>
        <source>The demo pool is starting.</source>
        <translation>演示资源池正在启动。</translation>
    </message>
    <message>
        <source>Choose a context first.</source>
        <translation>先选择一个上下文。</translation>
    </message>
    <message>
        <source>The kubeconfig has no context of this name.</source>
        <translation>kubeconfig 中没有此名称的上下文。</translation>
    </message>
    <message>
        <source>Credential plug-in</source>
        <translation>凭据插件</translation>
    </message>
    <message>
        <source>%1 says: %2</source>
        <extracomment>%1 is the name of a program, %2 what it wrote for the operator.</extracomment>
        <translation>%1 提示：%2</translation>
    </message>
    <message>
        <source>%1: %2 says: %3</source>
        <extracomment>%1 is a cluster, %2 the name of a program, %3 what it wrote for the operator.</extracomment>
        <translation>%1：%2 提示：%3</translation>
    </message>
    <message>
        <source>Connections</source>
        <translation>连接</translation>
    </message>
</context>
<context>
    <name>tongchi::ConnectionsDialog</name>
    <message>
        <source>Choose a kubeconfig file</source>
        <translation>选择 kubeconfig 文件</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Connections</source>
        <translation>连接</translation>
    </message>
    <message>
        <source>Add connection</source>
        <translation>添加连接</translation>
    </message>
    <message>
        <source>New here? The demo pool speaks the same protocols on loopback: 7,500 simulated cards, no cluster needed.</source>
        <translation>首次使用？演示资源池在本机回环地址上使用相同的协议：7,500 张模拟卡，无需集群。</translation>
    </message>
    <message>
        <source>Start demo pool</source>
        <translation>启动演示资源池</translation>
    </message>
    <message>
        <source>The demo pool runs inside this program and listens on loopback only. Its three clusters answer as real ones do: Kubernetes API, device plugins, HAMi, resource slices and exporters. All its data is simulated.</source>
        <translation>演示资源池在本程序内运行，仅监听本机回环地址。其 3 个集群的响应与真实集群相同：Kubernetes API、设备插件、HAMi、ResourceSlice 和 exporter。所有数据均为模拟。</translation>
    </message>
    <message>
        <source>Kubernetes</source>
        <translation>Kubernetes</translation>
    </message>
    <message>
        <source>Metrics</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>kubeconfig</source>
        <translation>kubeconfig</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Prometheus</source>
        <translation>Prometheus</translation>
    </message>
    <message>
        <source>Found in the cluster</source>
        <translation>在集群中发现</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Remove this connection</source>
        <translation>移除此连接</translation>
    </message>
    <message>
        <source>Run it</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Do not run it</source>
        <translation>不运行</translation>
    </message>
    <message>
        <source>Test results</source>
        <translation>测试结果</translation>
    </message>
    <message>
        <source>Nothing is contacted before you connect or test. Credentials stay in your kubeconfig.</source>
        <translation>连接或测试之前不会联系任何服务。凭据保留在你的 kubeconfig 中。</translation>
    </message>
    <message>
        <source>Test again</source>
        <translation>重新测试</translation>
    </message>
    <message>
        <source>The context %1 gets its credentials from a program. Run it? You are asked once for this command.</source>
        <translation>上下文 %1 通过一个程序获取凭据。是否运行？此命令只询问一次。</translation>
    </message>
</context>
<context>
    <name>tongchi::FacetRowButton</name>
    <message>
        <source>%1, %2 cards</source>
        <extracomment>For a screen reader: value of a facet and how many cards it would leave.</extracomment>
        <translation>%1，%2 卡</translation>
    </message>
    <message>
        <source>%1, chosen</source>
        <translation>%1，已选</translation>
    </message>
    <message>
        <source>%1, excluded</source>
        <translation>%1，已排除</translation>
    </message>
</context>
<context>
    <name>tongchi::FilterField</name>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Clear filter</source>
        <translation>清除筛选</translation>
    </message>
    <message>
        <source>Suggestions</source>
        <translation>建议</translation>
    </message>
</context>
<context>
    <name>tongchi::HistoryChart</name>
    <message>
        <source>%1 from %2 to %3 %4</source>
        <extracomment>For a screen reader: quantity, least and greatest value with their unit.</extracomment>
        <translation>%1，%2 至 %3 %4</translation>
    </message>
</context>
<context>
    <name>tongchi::InventoryPane</name>
    <message>
        <source>Cards</source>
        <translation>算力卡</translation>
    </message>
    <message>
        <source>Facets</source>
        <translation>分面</translation>
    </message>
    <message>
        <source>Add filter: model, node, label, health…</source>
        <translation>添加筛选：型号、节点、标签、健康…</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Density</source>
        <translation>密度</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Export as CSV…</source>
        <translation>导出为 CSV…</translation>
    </message>
    <message>
        <source>Export as JSON…</source>
        <translation>导出为 JSON…</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>No cluster is connected</source>
        <translation>未连接集群</translation>
    </message>
    <message>
        <source>Choose a context of your kubeconfig, or start the demo pool: 7,500 simulated cards, no cluster needed.</source>
        <translation>选择 kubeconfig 中的上下文，或启动演示资源池：7,500 张模拟卡，无需集群。</translation>
    </message>
    <message>
        <source>Connections</source>
        <translation>连接</translation>
    </message>
    <message>
        <source>Start demo pool</source>
        <translation>启动演示资源池</translation>
    </message>
    <message>
        <source>Try again now</source>
        <translation>立即重试</translation>
    </message>
    <message>
        <source>Take a word out of the filter to see cards again.</source>
        <translation>从筛选中去掉一个词，即可重新看到算力卡。</translation>
    </message>
    <message>
        <source>No card fits %1.</source>
        <translation>没有算力卡符合 %1。</translation>
    </message>
    <message>
        <source>%1 and %2 exclude each other.</source>
        <translation>%1 与 %2 互斥。</translation>
    </message>
    <message>
        <source>Drop %1</source>
        <translation>去掉 %1</translation>
    </message>
    <message>
        <source>No card matches</source>
        <translation>没有符合条件的算力卡</translation>
    </message>
    <message>
        <source>Clear filters</source>
        <translation>清除筛选</translation>
    </message>
    <message>
        <source>No accelerators in the connected clusters</source>
        <translation>已连接的集群没有加速卡</translation>
    </message>
    <message>
        <source>No node advertises a card through a device plugin, HAMi, DRA or vendor labels.</source>
        <translation>没有节点通过设备插件、HAMi、DRA 或厂商标签上报加速卡。</translation>
    </message>
    <message>
        <source>The RBAC rule is on the clipboard.</source>
        <translation>RBAC 规则已复制到剪贴板。</translation>
    </message>
    <message>
        <source>Asking the cluster whether you may change nodes.</source>
        <translation>正在询问集群你是否可变更节点。</translation>
    </message>
    <message numerus="yes">
        <source>Undone on %n node(s)</source>
        <translation>
            <numerusform>已撤销 %n 个节点的变更</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) cordoned</source>
        <translation>
            <numerusform>已封锁 %n 个节点</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) uncordoned</source>
        <translation>
            <numerusform>已解除封锁 %n 个节点</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) labelled</source>
        <translation>
            <numerusform>已为 %n 个节点打标签</numerusform>
        </translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) not changed.</source>
        <translation>
            <numerusform>%n 个节点未变更。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 (no room now)</source>
        <translation>%1（当前空间不足）</translation>
    </message>
    <message>
        <source>Reset columns</source>
        <translation>重置列</translation>
    </message>
    <message>
        <source>Compact</source>
        <translation>紧凑</translation>
    </message>
    <message>
        <source>Regular</source>
        <translation>标准</translation>
    </message>
    <message>
        <source>Comfortable</source>
        <translation>宽松</translation>
    </message>
    <message>
        <source>JSON files (*.json)</source>
        <translation>JSON 文件 (*.json)</translation>
    </message>
    <message>
        <source>CSV files (*.csv)</source>
        <translation>CSV 文件 (*.csv)</translation>
    </message>
    <message>
        <source>Export cards</source>
        <translation>导出算力卡</translation>
    </message>
    <message numerus="yes">
        <source>%n card(s) written to %1</source>
        <translation>
            <numerusform>已将 %n 张卡写入 %1</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 could not be written: %2. Choose another folder.</source>
        <translation>无法写入 %1：%2。选择其他文件夹。</translation>
    </message>
</context>
<context>
    <name>tongchi::MainWindow</name>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Follow system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>No data yet</source>
        <translation>尚无数据</translation>
    </message>
    <message>
        <source>%1 cards</source>
        <translation>%1 卡</translation>
    </message>
    <message>
        <source>%1 nodes</source>
        <translation>%1 个节点</translation>
    </message>
    <message>
        <source>Data age %1</source>
        <translation>数据时延 %1</translation>
    </message>
    <message>
        <source>Tongchi</source>
        <translation>同池</translation>
    </message>
    <message>
        <source>Compact</source>
        <translation>紧凑</translation>
    </message>
    <message>
        <source>Regular</source>
        <translation>标准</translation>
    </message>
    <message>
        <source>Comfortable</source>
        <translation>宽松</translation>
    </message>
    <message>
        <source>System</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>Density: %1</source>
        <translation>密度：%1</translation>
    </message>
    <message>
        <source>Language: %1</source>
        <translation>语言：%1</translation>
    </message>
    <message>
        <source>Theme: %1</source>
        <translation>主题：%1</translation>
    </message>
    <message>
        <source>Connections…</source>
        <translation>连接…</translation>
    </message>
    <message numerus="yes">
        <source>%n selected</source>
        <translation>
            <numerusform>已选 %n 张</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n card(s) selected</source>
        <translation>
            <numerusform>已选 %n 张卡</numerusform>
        </translation>
    </message>
    <message>
        <source>nothing is selected</source>
        <translation>未选择任何项</translation>
    </message>
    <message>
        <source>Cordon the nodes of the selection</source>
        <translation>封锁所选卡的节点</translation>
    </message>
    <message>
        <source>Uncordon the nodes of the selection</source>
        <translation>解除封锁所选卡的节点</translation>
    </message>
    <message>
        <source>Label the nodes: inference</source>
        <translation>为节点打标签：推理</translation>
    </message>
    <message>
        <source>Label the nodes: training</source>
        <translation>为节点打标签：训练</translation>
    </message>
    <message>
        <source>Label the nodes: mixed</source>
        <translation>为节点打标签：混合</translation>
    </message>
    <message numerus="yes">
        <source>%n card(s)</source>
        <extracomment>Node found by the palette: how many cards it has.</extracomment>
        <translation>
            <numerusform>%n 卡</numerusform>
        </translation>
    </message>
    <message>
        <source>Show cards</source>
        <translation>显示算力卡</translation>
    </message>
    <message>
        <source>Filter cards</source>
        <translation>筛选算力卡</translation>
    </message>
    <message>
        <source>Clear the filter</source>
        <translation>清除筛选</translation>
    </message>
    <message>
        <source>Start demo pool</source>
        <translation>启动演示资源池</translation>
    </message>
    <message>
        <source>Resume live data</source>
        <translation>恢复实时数据</translation>
    </message>
    <message>
        <source>Pause live data</source>
        <translation>暂停实时数据</translation>
    </message>
    <message>
        <source>Refresh now</source>
        <translation>立即刷新</translation>
    </message>
    <message>
        <source>Switch language</source>
        <translation>切换语言</translation>
    </message>
    <message>
        <source>Light theme</source>
        <translation>浅色主题</translation>
    </message>
    <message>
        <source>Dark theme</source>
        <translation>深色主题</translation>
    </message>
    <message>
        <source>Theme of the system</source>
        <translation>跟随系统主题</translation>
    </message>
    <message>
        <source>Compact rows</source>
        <translation>紧凑行高</translation>
    </message>
    <message>
        <source>Regular rows</source>
        <translation>标准行高</translation>
    </message>
    <message>
        <source>Comfortable rows</source>
        <translation>宽松行高</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
</context>
<context>
    <name>tongchi::OrderPill</name>
    <message numerus="yes">
        <source>%n row(s) would move</source>
        <translation>
            <numerusform>%n 行将移动</numerusform>
        </translation>
    </message>
    <message>
        <source>Sort now</source>
        <translation>立即排序</translation>
    </message>
</context>
<context>
    <name>tongchi::ProfileButton</name>
    <message>
        <source>%1, connected</source>
        <translation>%1，已连接</translation>
    </message>
    <message>
        <source>%1, does not answer</source>
        <translation>%1，未响应</translation>
    </message>
</context>
<context>
    <name>tongchi::ScrimDialog</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>tongchi::SelectAllBox</name>
    <message>
        <source>Select all rows</source>
        <translation>选择所有行</translation>
    </message>
</context>
<context>
    <name>tongchi::SelectionBar</name>
    <message numerus="yes">
        <source>%n selected</source>
        <translation>
            <numerusform>已选 %n 张</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s)</source>
        <translation>
            <numerusform>%n 个节点</numerusform>
        </translation>
    </message>
    <message>
        <source>Cordon</source>
        <translation>封锁</translation>
    </message>
    <message>
        <source>Uncordon</source>
        <translation>解除封锁</translation>
    </message>
    <message>
        <source>Label</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Clear selection</source>
        <translation>清除选择</translation>
    </message>
    <message>
        <source>No new work is placed on these nodes; what runs goes on</source>
        <translation>新负载不再调度到这些节点；已在运行的继续运行</translation>
    </message>
</context>
<context>
    <name>tongchi::SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Density</source>
        <translation>密度</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Follow system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Compact</source>
        <translation>紧凑</translation>
    </message>
    <message>
        <source>Regular</source>
        <translation>标准</translation>
    </message>
    <message>
        <source>Comfortable</source>
        <translation>宽松</translation>
    </message>
    <message>
        <source>Single-letter keys (C, L, /) in tables</source>
        <translation>表格中的单字母快捷键（C、L、/）</translation>
    </message>
    <message>
        <source>Reduce motion</source>
        <translation>减弱动态效果</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
</context>
<context>
    <name>tongchi::SideRail</name>
    <message>
        <source>Panes</source>
        <translation>面板</translation>
    </message>
    <message>
        <source>Cards</source>
        <translation>算力卡</translation>
    </message>
    <message>
        <source>Connect</source>
        <extracomment>Rail: opens the connections.</extracomment>
        <translation>连接</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
</context>
<context>
    <name>tongchi::StatusLine</name>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Density</source>
        <translation>密度</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
</context>
<context>
    <name>tongchi::Toast</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>tongchi::TopBar</name>
    <message>
        <source>Search cards, nodes, workloads, or run a command</source>
        <translation>搜索算力卡、节点、负载，或运行命令</translation>
    </message>
    <message>
        <source>Refresh now</source>
        <translation>立即刷新</translation>
    </message>
    <message>
        <source>Simulated</source>
        <extracomment>A chip in the top bar, where only some of the connected clusters are simulated.</extracomment>
        <translation>模拟</translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation>未连接</translation>
    </message>
    <message>
        <source>All pools</source>
        <translation>全部资源池</translation>
    </message>
    <message numerus="yes">
        <source>%n region(s)</source>
        <translation>
            <numerusform>%n 个区域</numerusform>
        </translation>
    </message>
    <message>
        <source>Connected clusters</source>
        <translation>已连接的集群</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>实时</translation>
    </message>
    <message>
        <source>Paused at %1. Resume live data</source>
        <translation>已于 %1 暂停。恢复实时数据</translation>
    </message>
    <message>
        <source>Resume live data</source>
        <translation>恢复实时数据</translation>
    </message>
    <message>
        <source>Pause live data</source>
        <translation>暂停实时数据</translation>
    </message>
    <message>
        <source>Connecting</source>
        <translation>正在连接</translation>
    </message>
    <message numerus="yes">
        <source>Live: %1 of %n cluster(s)</source>
        <extracomment>In the top bar, when some clusters do not answer: 2 of 3 clusters.</extracomment>
        <translation>
            <numerusform>实时：%1/%n 个集群</numerusform>
        </translation>
    </message>
    <message>
        <source>Not live</source>
        <extracomment>In the top bar: no cluster answers.</extracomment>
        <translation>无实时数据</translation>
    </message>
    <message>
        <source>%1, newest data %2 old. Pause</source>
        <translation>%1，最新数据时延 %2。暂停</translation>
    </message>
    <message>
        <source>Partly simulated</source>
        <translation>部分为模拟数据</translation>
    </message>
    <message>
        <source>The data of these clusters is made up by Tongchi&apos;s simulated pool: %1.</source>
        <translation>以下集群的数据由同池的模拟资源池生成：%1。</translation>
    </message>
</context>
<context>
    <name>tongchi::WelcomePage</name>
    <message>
        <source>Every accelerator card of your clusters in one table, live: NVIDIA, Ascend, Cambricon and others, with the age and the source of each number.</source>
        <translation>各集群的每张算力卡实时汇于一张表：NVIDIA、昇腾、寒武纪等，每个数字都带时延和来源。</translation>
    </message>
    <message>
        <source>Start demo pool</source>
        <translation>启动演示资源池</translation>
    </message>
    <message>
        <source>Connect a cluster…</source>
        <translation>连接集群…</translation>
    </message>
    <message>
        <source>The demo pool runs inside this program: 7,500 simulated cards in four regions, no cluster needed. No cluster is contacted before you say so.</source>
        <translation>演示资源池在本程序内运行：4 个区域的 7,500 张模拟卡，无需集群。未经你同意，不会联系任何集群。</translation>
    </message>
</context>
</TS>
